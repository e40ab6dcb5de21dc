/** Which session a request selects: by header, by its path, or by a cookie. */
import { sessionHeader } from '../../shared/endpoint.js'
import type { HttpRequest } from './response.js'

export interface Selection {
  /** The name of the session; undefined for the base. */
  readonly session: string | undefined
  /** The target without `/s/NAME`. */
  readonly target: string
}

const inPath = /^((?:https?:\/\/[^/]*)?)\/s\/([^/?]*)(?=[/?]|$)/i
const inCookie = /(?:^|;) *mock_session=([^;]*)/

export function selectSession({ target, headers, session }: HttpRequest): Selection {
  const inTarget = inPath.exec(target)
  const ofCookie = headers['cookie'] === undefined ? undefined : inCookie.exec(headers['cookie'])?.[1]?.trim()
  return {
    session: headers[sessionHeader] ?? inTarget?.[2] ?? ofCookie ?? session,
    target: inTarget ? `${inTarget[1]}${target.slice(inTarget[0].length) || '/'}` : target,
  }
}
