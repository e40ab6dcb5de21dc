/** The shapes of the documented schema, built once. */
import { serviceShapes } from '../../../contracts/support/shapes.js'
import type { Shapes } from '../../contract/shape.js'
import { parseSchema } from '../../schema/load.js'
import { ownPackage } from '../../shared/package.js'

let shapes: Shapes | undefined
export const contractShapes = (): Shapes => (shapes ??= serviceShapes(parseSchema(ownPackage().schema)))
