// Pseudo-random values derived from names, so that every run creates the same rows.
import { createHash } from 'node:crypto'

const digest = (name: string) => createHash('sha256').update(name).digest()

/** A version 7 uuid made from the SHA-256 of the name. */
export const idOf = (name: string): string => {
  const bytes = digest(name).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const DIGITS = '0123456789'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const HEX = '0123456789abcdef'

export class Dice {
  readonly #name: string
  #rolls = 0

  constructor(name: string) {
    this.#name = name
  }

  /** An integer from `from` to `to`, inclusive. */
  int(from: number, to: number): number {
    this.#rolls += 1
    return from + (digest(`${this.#name}#${this.#rolls}`).readUIntBE(0, 6) % (to - from + 1))
  }

  chance(percent: number): boolean {
    return this.int(1, 100) <= percent
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.int(0, choices.length - 1)]
    if (choice === undefined) throw new Error(`${this.#name}: there is nothing to pick from`)
    return choice
  }

  /** Picks in proportion to the weights. */
  weigh<T extends { weight: number }>(choices: readonly T[]): T {
    let left = this.int(
      1,
      choices.reduce((sum, { weight }) => sum + weight, 0),
    )
    for (const choice of choices) {
      left -= choice.weight
      if (left <= 0) return choice
    }
    throw new Error(`${this.#name}: all weights are zero`)
  }

  /** The third digit from the end is 2 to 9, because the sandbox assigns scenarios to numbers with 0 or 1 there. */
  digits(length: number): string {
    return this.#text(DIGITS, length - 3) + String(this.int(2, 9)) + this.#text(DIGITS, 2)
  }

  letters = (length: number) => this.#text(BASE32.slice(0, 26), length)
  base32 = (length: number) => this.#text(BASE32, length)
  base58 = (length: number) => this.#text(BASE58, length)
  hex = (length: number) => this.#text(HEX, length)

  #text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(this.int(0, alphabet.length - 1))).join('')
  }
}
