/** What clients and their compilers do to a document before they send it: join fragments, strip their own directives. */
import {
  Kind,
  print,
  visit,
  type ASTNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
} from 'graphql'

/** A file with documents. One file can have several, each in a tag of its own. */
export interface DocumentFile {
  readonly path: string
  readonly text: string
  readonly document: DocumentNode
}

/** The paths in `#import "./fragments.graphql"` lines, relative to the same folder as the path of the file. */
export function importsOf({ path, text }: Pick<DocumentFile, 'path' | 'text'>): readonly string[] {
  const folder = path.replaceAll('\\', '/').split('/').slice(0, -1)
  const lines = text.matchAll(/^[ \t]*#\s*import\s+(?:.+?\s+from\s+)?(["'])(.+?)\1/gm)
  return [...lines].map(([, , given = '']) => {
    const parts: string[] = []
    for (const part of [...folder, ...given.split('/')]) {
      if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
      else if (part !== '.') parts.push(part)
    }
    return parts.join('/')
  })
}

export interface Fragments {
  readonly fragments: readonly FragmentDefinitionNode[]
  /** A name with different fragments, of which the document does not say which it means. */
  readonly ambiguous?: { readonly name: string; readonly paths: readonly string[] } | undefined
}

/** The fragments that an operation spreads: of its own file, of those that the file imports, or of any other. */
export function fragmentsOf(operation: ASTNode, file: DocumentFile, files: readonly DocumentFile[]): Fragments {
  const found = new Map<string, FragmentDefinitionNode>()
  const due = [{ node: operation, from: file }]
  for (let it = due.shift(); it; it = due.shift()) {
    for (const name of spreadsIn(it.node)) {
      if (found.has(name)) continue
      const candidates = files.flatMap((from) =>
        from.document.definitions.filter(isFragment(name)).map((node) => ({ node, from })),
      )
      const { path } = it.from
      const imported = importsOf(it.from)
      const near =
        candidates.find(({ from }) => from.path === path) ?? candidates.find(({ from }) => imported.includes(from.path))
      const [first] = candidates
      const chosen = near ?? first
      if (!chosen) continue
      if (!near && candidates.some(({ node }) => print(node) !== print(chosen.node)))
        return { fragments: [], ambiguous: { name, paths: candidates.map(({ from }) => from.path) } }
      found.set(name, chosen.node)
      due.push(chosen)
    }
  }
  return { fragments: [...found.values()] }
}

const isFragment =
  (name: string) =>
  (it: DefinitionNode): it is FragmentDefinitionNode =>
    it.kind === Kind.FRAGMENT_DEFINITION && it.name.value === name

function spreadsIn(node: ASTNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(node, { FragmentSpread: ({ name }) => void names.add(name.value) })
  return names
}

/** Directives for Apollo, Relay or urql alone, which no server gets. */
const clientDirectives: ReadonlySet<string> = new Set(
  [
    'client connection export nonreactive unmask live rest type',
    'alias assignable catch inline live_query mask match module no_inline preloadable raw_response_type refetchable',
    'relay relay_test_operation required semanticNonNull stream_connection throwOnFieldError updatable waterfall',
    'appendEdge appendNode deleteEdge deleteRecord prependEdge prependNode',
    '_optional _relayPagination _required populate',
  ].flatMap((it) => it.split(' ')),
)

/** Directives that Relay's compiler turns into another document. */
const compilerDirectives: readonly string[] = ['argumentDefinitions', 'arguments']

export function compilerDirective(document: DocumentNode): string | undefined {
  let found: string | undefined
  visit(document, {
    Directive({ name }) {
      if (compilerDirectives.includes(name.value)) found ??= name.value
    },
  })
  return found
}

interface Selecting {
  readonly directives?: readonly DirectiveNode[] | undefined
}

const isLocal = ({ directives = [] }: Selecting) => directives.some(({ name }) => name.value === 'client')
const unlessLocal = { enter: (node: Selecting) => (isLocal(node) ? null : undefined) }

/** A document without the parts that only its client understands. Undefined if nothing else is in it. */
export function asSent(document: DocumentNode): DocumentNode | undefined {
  const stripped = visit(document, {
    Directive: ({ name }) => (clientDirectives.has(name.value) ? null : undefined),
    FragmentSpread: unlessLocal,
    InlineFragment: unlessLocal,
    Field: {
      ...unlessLocal,
      leave: ({ selectionSet }) => (selectionSet?.selections.length === 0 ? null : undefined),
    },
    OperationDefinition: {
      leave: ({ selectionSet }) => (selectionSet.selections.length === 0 ? null : undefined),
    },
  })
  if (!stripped.definitions.some((it) => it.kind === Kind.OPERATION_DEFINITION)) return undefined
  return print(stripped) === print(document) ? document : withoutLostVariables(stripped, document)
}

/** Drops the variables that only removed parts of a document used. */
export function withoutLostVariables(document: DocumentNode, original: DocumentNode): DocumentNode {
  const [before, after] = [variablesIn(original), variablesIn(document)]
  return visit(document, {
    VariableDefinition: ({ variable: { name } }) =>
      before.has(name.value) && !after.has(name.value) ? null : undefined,
  })
}

function variablesIn(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void names.add(name.value) })
  return names
}
