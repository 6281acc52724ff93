// Hostile input: modifications of a valid text, and the tally of the responses to them.
import { expect } from 'vitest'
import { db } from '#database/db.ts'
import { createPlatform } from '#test/setup/world.ts'
import { type Answer, type CredentialFace, credentialFaces } from './credential-faces.ts'
import { createHousehold, type Household } from './wallet-operations.ts'

/** A household for each API, each on its own platform. */
export const createHouseholds = (): Promise<Household[]> =>
  Promise.all(credentialFaces.map(async (face) => createHousehold(face, await createPlatform())))

/** Sends each of these alternately over the two APIs. */
export const inTurn = async <T>(
  houses: readonly Household[],
  items: readonly T[],
  ask: (item: T, house: Household, face: CredentialFace) => Promise<void>,
) => {
  for (const [index, item] of items.entries()) {
    const house = houses[index % houses.length] as Household
    await ask(item, house, house.face)
  }
}

/** Resets the limits, so that each proof is checked. */
export const forgive = async (credentialId: string) => {
  const id = credentialId.slice(credentialId.indexOf(':') + 1)
  await db.authMethod.updateMany({ where: { id }, data: { failureTimes: [], challengeTimes: [] } })
  await db.otpChallenge.updateMany({ where: { authMethodId: id }, data: { tries: 0 } })
}

/** In CI one in this number of mutants is tried. The full campaign sets MUTANTS=all. */
export const SPARSE = process.env['MUTANTS'] === 'all' ? 1 : 13

/** In CI each value is sent to one of the households, otherwise to all of them. */
export const shareOf = <T>(values: readonly T[], houses: readonly Household[], house: Household): T[] =>
  values.filter((_value, index) => SPARSE === 1 || (index + houses.indexOf(house)) % houses.length === 0)

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Each character replaced or doubled, and the text cut after it. */
export const textMutants = (honest: string, step = 1): string[] =>
  Array.from(honest).flatMap((character, index) => {
    if (index % (step * SPARSE) !== 0) return []
    const [before, after] = [honest.slice(0, index), honest.slice(index + 1)]
    const other = ALPHABET[(ALPHABET.indexOf(character) + 7 + index) % ALPHABET.length] ?? '-'
    return [`${before}${other}${after}`, before + after, `${before}${character}${character}${after}`]
  })

/** Flips single bits. */
export const bitMutants = (honest: Buffer, step = 1): Buffer[] => {
  const mutants: Buffer[] = []
  for (let bit = 0; bit < honest.length * 8; bit += step * SPARSE) {
    const mutant = Buffer.from(honest)
    mutant[bit >> 3] = (mutant[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    mutants.push(mutant)
  }
  return mutants
}

/** Truncated at each length, and with something appended. */
export const lengthMutants = (honest: Buffer, step = 1): Buffer[] => [
  ...Array.from({ length: Math.ceil(honest.length / (step * SPARSE)) }, (_, index) =>
    honest.subarray(0, index * step * SPARSE),
  ),
  Buffer.concat([honest, Buffer.alloc(1)]),
  Buffer.concat([honest, honest]),
]

/** Values of the wrong type or form. */
export const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e99,
  '',
  ' ',
  '\0',
  '\u{feff}',
  '\ud800',
  '٠٠٠٠٠٠',
  'x'.repeat(20_000),
  '__proto__',
  [],
  [[]],
  ['x'],
  {},
  { not: '' },
  { __proto__: null, constructor: 'x' },
  { toString: 'x' },
]

export const createTally = (name: string) => {
  const slices = new Map<string, number>()
  const offenders: string[] = []
  const counts = { tried: 0, accepted: 0, serverErrors: 0, misshapen: 0, limited: 0 }

  const isShaped = ({ status, body }: Answer) =>
    Object.keys(body).every((key) => ['status', 'code', 'message', 'details'].includes(key)) &&
    body.status === status &&
    typeof body.code === 'string' &&
    typeof body.message === 'string' &&
    (body.details === undefined || typeof body.details === 'object')

  return {
    counts,
    /** Inputs that must be refused, or at least cause no internal error. */
    refused: (slice: string, what: unknown, answer: Answer, { mayPass = false } = {}) => {
      counts.tried += 1
      slices.set(slice, (slices.get(slice) ?? 0) + 1)
      const faults = {
        accepted: answer.status < 400 && !mayPass,
        serverErrors: answer.status >= 500,
        misshapen: answer.status >= 400 && !isShaped(answer),
        limited: answer.status === 429,
      }
      for (const [fault, isSo] of Object.entries(faults)) {
        if (!isSo) continue
        counts[fault as keyof typeof faults] += 1
        offenders.push(`${slice} ${fault}: ${JSON.stringify(what)?.slice(0, 300)} → ${answer.status} ${answer.code}`)
      }
    },
    /** Also that each slice had at least this number of inputs. */
    expectNone: (least: Readonly<Record<string, number>>) => {
      const { tried, ...faults } = counts
      console.log(`${name}: mutants ${tried} ${JSON.stringify(faults)} ${JSON.stringify(Object.fromEntries(slices))}`)
      expect(offenders.slice(0, 20)).toEqual([])
      const few = Object.entries(least).filter(([slice, count]) => (slices.get(slice) ?? 0) < count)
      expect(few, 'slices with fewer inputs').toEqual([])
    },
  }
}
