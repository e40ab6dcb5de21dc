/** Wraps that reject or change requests, or change whole answers. */
import { print, visit, type ASTNode, type ASTVisitor, type Kind } from 'graphql'
import type { Answer, GraphqlRequest, SendOptions } from '../../src/client/target.js'
import { parsed } from './response-walk.js'
import type { Wrap } from './mutant.js'

/** An answer with one error and no data. */
export const rejection = (message: string): Answer => ({
  status: 200,
  body: { errors: [{ message }] },
  ms: 0,
})

/** Rejects a request if the function returns a message. */
export const rejecting =
  (messageFor: (request: GraphqlRequest, options: SendOptions) => string | undefined): Wrap =>
  (target) => ({
    ...target,
    async send(request, options = {}) {
      const message = messageFor(request, options)
      return message === undefined ? target.send(request, options) : rejection(message)
    },
  })

/** Sends another request instead. */
export const asking =
  (instead: (request: GraphqlRequest) => GraphqlRequest): Wrap =>
  (target) => ({ ...target, send: (request, options) => target.send(instead(request), options) })

/** Changes whole answers. */
export const answering =
  (change: (answer: Answer, call: number) => Answer | Promise<Answer>): Wrap =>
  (target) => {
    let call = 0
    return {
      ...target,
      async send(request, options) {
        call += 1
        return change(await target.send(request, options), call)
      },
    }
  }

/** The same request with another document. */
export const rewritten = (request: GraphqlRequest, visitor: ASTVisitor): GraphqlRequest => ({
  ...request,
  query: print(visit(parsed(request.query), visitor)),
})

/** Whether the document has a node of a kind. */
export function has<K extends Kind>(
  request: GraphqlRequest,
  kind: K,
  holds: (node: Extract<ASTNode, { readonly kind: K }>) => boolean = () => true,
): boolean {
  let found = false
  visit(parsed(request.query), {
    enter(node) {
      found ||= node.kind === kind && holds(node as Extract<ASTNode, { readonly kind: K }>)
    },
  })
  return found
}
