/** Identifiers: a prefix and 21 characters that encode the index and a checksum, decoded without a table. */
import { keyOf, mix } from './rng.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
/** By character code; 64 if it is not in the alphabet. */
const digitOf = Uint8Array.from({ length: 128 }, (_, code) => (alphabet.indexOf(String.fromCharCode(code)) + 65) % 65)
const tail = 21
const low30 = 2 ** 30

/** Everything before the last 21 characters, even if the string is not an identifier. */
export const prefixOf = (id: string): string => id.slice(0, -tail)

export type Ids = ReturnType<typeof createIds>

type Check = readonly [number, number, number]
type Five = [number, number, number, number, number]

const codes = Uint8Array.from(alphabet, (digit) => digit.charCodeAt(0))
const code = (value: number, shift: number) => codes[(value >>> shift) & 63] as number

/** One call, because V8 would have to flatten a concatenated string later. */
const textOf = ([a, b, c]: Check, low: number, high: number): string =>
  // oxfmt-ignore
  String.fromCharCode(
    code(a, 24), code(a, 18), code(a, 12), code(a, 6), code(a, 0),
    code(b, 24), code(b, 18), code(b, 12), code(b, 6), code(b, 0),
    code(c, 6), code(c, 0),
    code(low, 24), code(low, 18), code(low, 12), code(low, 6), code(low, 0),
    code(high, 18), code(high, 12), code(high, 6), code(high, 0),
  )

/** The number in these digits, NaN if one is not in the alphabet. */
function numberIn(text: string, from: number, length: number): number {
  let value = 0
  for (let at = from; at < from + length; at++) {
    const digit = digitOf[text.charCodeAt(at)] ?? 64
    if (digit === 64) return NaN
    value = value * 64 + digit
  }
  return value
}

/**
 * The checksum is a keyed hash of the index; the index follows, masked by a keyed hash of the checksum.
 * So all 21 characters look random, no two indexes share an identifier, and a guessed one does not decode.
 */
export function createIds(randomSeed: number, prefix: string) {
  const base = keyOf(randomSeed, prefix)
  const [k1, k2, k3, k4, k5] = [1, 2, 3, 4, 5].map((n) => mix(base + Math.imul(n, 0x9e3779b1))) as Five

  function checkOf(index: number): Check {
    const low = mix(index >>> 0)
    const high = mix(Math.floor(index / 2 ** 32) + 0x51ed27)
    const word = (key: number) => mix(mix(low ^ key) + high)
    return [word(k1) >>> 2, word(k2) >>> 2, word(k3) >>> 20]
  }
  const maskLow = (check: Check) => mix(check[0] ^ mix(check[1] ^ k4)) >>> 2
  const maskHigh = (check: Check) => mix(check[1] ^ mix(check[2] ^ k5)) >>> 8

  /** `index` from 0 to 2^53 - 1. */
  function encode(index: number): string {
    const check = checkOf(index)
    const low = (index % low30) ^ maskLow(check)
    const high = Math.floor(index / low30) ^ maskHigh(check)
    return prefix + textOf(check, low, high)
  }

  /** The index, or undefined if the string is not an identifier of this seed and prefix. */
  function decode(id: string): number | undefined {
    if (id.length !== prefix.length + tail || prefixOf(id) !== prefix) return undefined
    const at = prefix.length
    const check: Check = [numberIn(id, at, 5), numberIn(id, at + 5, 5), numberIn(id, at + 10, 2)]
    const [low, high] = [numberIn(id, at + 12, 5), numberIn(id, at + 17, 4)]
    // The mask would turn NaN into a number.
    if (Number.isNaN(low + high)) return undefined
    const index = (high ^ maskHigh(check)) * low30 + (low ^ maskLow(check))
    if (!Number.isSafeInteger(index) || index < 0) return undefined
    const right = checkOf(index)
    return check[0] === right[0] && check[1] === right[1] && check[2] === right[2] ? index : undefined
  }

  return { encode, decode }
}
