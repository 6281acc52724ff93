// A signed retry takes few round trips to Postgres, and the second call is one transaction.
import { expect, it } from 'vitest'
import { type Answer, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { createHousehold, OPERATION_NAMES, OPERATIONS } from '#test/setup/credentials/wallet-operations.ts'
import { prove } from '#test/setup/credentials/wallet-sessions.ts'
import { roundTripsOf } from '#test/setup/sent-statements.ts'
import { createPlatform } from '#test/setup/world.ts'

/** Of the first and the second call. The other operations use Prisma. */
const FEW = {
  'wallet privacy': [1, 2],
  'refresh session': [2, 2],
  'export wallet': [1, 3],
  'revoke session': [2, 3],
}

/** The API token is remembered for half a second, and may be looked up again while the call goes on. */
const TOKEN = 'from api_tokens'

it('over REST', { timeout: 60_000 }, async () => {
  const face = credentialFaces.find(({ name }) => name === 'REST')
  if (!face) throw new Error('No face')
  const platform = await createPlatform()
  const counts: Record<string, readonly number[]> = {}
  for (const name of OPERATION_NAMES) {
    const { send, key, success } = await OPERATIONS[name](await createHousehold(face, platform))
    const answers: Answer[] = []
    const first = await roundTripsOf(async () => answers.push(await send()), TOKEN)
    const [challenge] = answers
    if (!challenge) throw new Error('No answer')
    const proof = await prove(key, challenge)
    const second = await roundTripsOf(async () => answers.push(await send(proof)), TOKEN)
    expect(answers.map(({ status }) => status)).toEqual([202, success])
    const calls = [first, second]
    expect(second.flat().filter((text) => /^commit$/i.test(text))).toHaveLength(1)
    counts[name] = calls.map((trips) => trips.length)
    const statements = calls.map((trips) => trips.flat().length)
    console.log(`${name}: ${counts[name]?.join(' + ')} round trips, ${statements.join(' + ')} statements`)
  }
  expect(counts).toMatchObject(FEW)
})
