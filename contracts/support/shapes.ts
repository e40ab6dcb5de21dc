/** The shapes of this service, with its own scalars. */
import type { DocumentNode } from 'graphql'
import { isObject, isString } from '../../src/contract/scalar-validators.js'
import { createShapes, type Shapes } from '../../src/contract/shape.js'

/** @param definitions the parsed schema.graphql */
export const serviceShapes = (definitions: DocumentNode): Shapes =>
  createShapes({
    definitions,
    scalars: {
      TimeStamp: isString,
      Email: isString,
      Lang: isString,
      IntegrationDetails: isObject,
      CustomFields: isObject,
    },
  })
