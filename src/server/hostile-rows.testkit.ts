/** All hand-written hostile inputs, by family. */
import { depth, floods, fragments, honest, limits } from './hostile-documents.testkit.js'
import { bodies, foreignPages, hostsAndOrigins, http } from './hostile-http.testkit.js'
import type { Row } from './hostile-row.testkit.js'
import { characters, cursors, numbers, prototypes } from './hostile-values.testkit.js'

export const families: Readonly<Record<string, readonly Row[]>> = {
  depth,
  fragments,
  limits,
  floods,
  'honest requests and secrets': honest,
  bodies,
  cursors,
  'words of JavaScript': prototypes,
  characters,
  numbers,
  http,
  'hosts and origins': hostsAndOrigins,
  'foreign pages': foreignPages,
}
