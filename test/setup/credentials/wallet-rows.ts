// Decision tables as tests: each row runs over both APIs, which must give the same answer.
import { describe, expect, it } from 'vitest'
import { createPlatform } from '#test/setup/world.ts'
import { type Answer, type CredentialFace, credentialFaces } from './credential-faces.ts'
import { createHousehold, type Household } from './wallet-operations.ts'

interface Expected {
  readonly status: number
  readonly code?: string
  readonly reason?: string
  /** The last part of `details.field`. */
  readonly field?: string
}

/** A request about a household, shared by the rows unless they create their own, and the expected answer. */
export type Row = readonly [
  row: string,
  answer: (house: Household, face: CredentialFace) => Promise<Answer>,
  is: Expected,
]

export const INVALID_INPUT = { status: 400, code: 'INVALID_INPUT' }
export const NOT_FOUND = { status: 404, code: 'REFERENCE_NOT_FOUND' }
export const OK = { status: 200 }
export const invalid = (field: string) => ({ ...INVALID_INPUT, field })
export const unauthorized = (reason: string) => ({ status: 401, code: 'UNAUTHORIZED', reason })
export const unusable = (reason: string) => ({ status: 401, code: 'INVALID_SIGNATURE', reason })

const households = new Map<CredentialFace, Promise<Household>>()
const sharedBy = (face: CredentialFace): Promise<Household> => {
  const shared = households.get(face) ?? createPlatform().then((platform) => createHousehold(face, platform))
  households.set(face, shared)
  return shared
}

const partsOf = ({ status, code, details }: Answer) => ({
  status,
  ...(code !== undefined && { code }),
  ...(details?.reason !== undefined && { reason: details.reason }),
})

export const describeRows = (title: string, rows: readonly Row[]) => {
  describe(title, () => {
    const said = new Map<string, string[]>()

    describe.each(credentialFaces)('over $name', (face) => {
      it.each(rows)('%s', async (row, ask, { field, ...is }) => {
        const answer = await ask(await sharedBy(face), face)
        const parts = partsOf(answer)
        said.set(row, [...(said.get(row) ?? []), JSON.stringify(parts)])
        expect({ ...answer, ...parts }).toMatchObject(is)
        if (field !== undefined) expect(answer.details?.field?.split('.').at(-1)).toBe(field)
      })
    })

    it('in every row both faces say the same', () => {
      const differing = [...said].filter(([, answers]) => new Set(answers).size !== 1)
      console.log(`${title}: rows ${said.size}, APIs ${credentialFaces.length}, different answers ${differing.length}`)
      expect(differing).toEqual([])
      expect(said.size).toBe(rows.length)
    })
  })
}
