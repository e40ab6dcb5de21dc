/** Slugs: lower-case letters and digits, joined by hyphens. */
import { fold } from '../../src/world/text.js'

export const slugOf = (name: string): string =>
  fold(name)
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
