/** The shapes of this service, with its own scalars. */
import { isObject, isString } from '../../src/contract/scalar-validators.js'
import { createShapes, type Shapes } from '../../src/contract/shape.js'
import { parseSchema } from '../../src/schema/load.js'
import { ownPackage } from '../../src/shared/package.js'

const scalars = {
  TimeStamp: isString,
  Email: isString,
  Lang: isString,
  IntegrationDetails: isObject,
  CustomFields: isObject,
}

let shapes: Shapes | undefined

/** The shapes of the documented schema, built once. */
export const contractShapes = (): Shapes =>
  (shapes ??= createShapes({ definitions: parseSchema(ownPackage().schema), scalars }))
