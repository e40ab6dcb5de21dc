/** What the judging of shapes must know of this service: its own scalars. */
import type { DocumentNode } from 'graphql'
import { isObject, isText } from '../../src/contract/scalar-validators.js'
import { createShapes, type Shapes } from '../../src/contract/shape.js'

/** The shapes of the documented schema, which is given as it was parsed. */
export const serviceShapes = (definitions: DocumentNode): Shapes =>
  createShapes({
    definitions,
    scalars: { TimeStamp: isText, Email: isText, Lang: isText, IntegrationDetails: isObject, CustomFields: isObject },
  })
