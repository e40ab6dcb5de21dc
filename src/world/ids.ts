/** Identifiers: a prefix and 21 characters that hold (type, index) and a check, readable without a table. */
import { hashText, mix } from './draw.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
const digitOf = new Map([...alphabet].map((character, digit) => [character, digit]))
const tail = 21
const low30 = 2 ** 30

export interface Ids {
  /** `index` from 0 to 2^53 - 1. */
  encode(index: number): string
  /** The index, or undefined where the text is no identifier of this seed and prefix. */
  decode(id: string): number | undefined
}

function digits(value: number, length: number): string {
  let text = ''
  for (let shift = (length - 1) * 6; shift >= 0; shift -= 6) text += alphabet[(value >>> shift) & 63]
  return text
}

/**
 * The check is a keyed hash of the index; the index stands behind it, masked by a keyed hash of the check.
 * So all 21 characters look random, two indexes never share an identifier, and a guessed one does not decode.
 */
export function createIds(randomSeed: number, prefix: string): Ids {
  const base = hashText(prefix, mix(randomSeed) ^ mix(Math.floor(randomSeed / 2 ** 32) + 1))
  const keys = [1, 2, 3, 4, 5].map((n) => mix(base + Math.imul(n, 0x9e3779b1))) as [
    number,
    number,
    number,
    number,
    number,
  ]

  function checkOf(index: number): [number, number, number] {
    const low = mix(index >>> 0)
    const high = mix(Math.floor(index / 2 ** 32) + 0x51ed27)
    const word = (key: number) => mix(mix(low ^ key) + high)
    return [word(keys[0]) >>> 2, word(keys[1]) >>> 2, word(keys[2]) >>> 20]
  }
  const maskLow = (check: readonly number[]) => mix((check[0] as number) ^ mix((check[1] as number) ^ keys[3])) >>> 2
  const maskHigh = (check: readonly number[]) => mix((check[1] as number) ^ mix((check[2] as number) ^ keys[4])) >>> 8

  function encode(index: number): string {
    const check = checkOf(index)
    const low = (index % low30) ^ maskLow(check)
    const high = Math.floor(index / low30) ^ maskHigh(check)
    return prefix + digits(check[0], 5) + digits(check[1], 5) + digits(check[2], 2) + digits(low, 5) + digits(high, 4)
  }

  function decode(id: string): number | undefined {
    if (id.length !== prefix.length + tail || !id.startsWith(prefix)) return undefined
    const number = (from: number, length: number) => {
      let value = 0
      for (let i = prefix.length + from; i < prefix.length + from + length; i++) {
        value = value * 64 + (digitOf.get(id[i] as string) ?? NaN)
      }
      return value
    }
    const check = [number(0, 5), number(5, 5), number(10, 2)]
    const low = number(12, 5) ^ maskLow(check)
    const high = number(17, 4) ^ maskHigh(check)
    const index = high * low30 + low
    return Number.isSafeInteger(index) && index >= 0 && encode(index) === id ? index : undefined
  }

  return { encode, decode }
}
