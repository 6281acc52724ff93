// How the body of a signed retry over REST may differ from the body of its first leg.
import { beforeAll, expect, it } from 'vitest'
import { callRest, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household } from '#test/setup/credentials/wallet-operations.ts'
import { expectStatus, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform } from '#test/setup/world.ts'

let house: Household
beforeAll(async () => {
  const [, rest] = credentialFaces
  if (!rest) throw new Error('no REST')
  house = await createHousehold(rest, await createPlatform())
})

it('members of nested objects may be reordered, and null members may be omitted', async () => {
  const { platform, wallet, emailSession } = house
  const { publicKey: clientPublicKey } = newKey()
  const send = (body: object, proof = {}) =>
    callRest(platform, 'POST', `/internal-accounts/${wallet.accountId}/export`, { body, proof })
  const first = expectStatus(await send({ clientPublicKey, note: { one: 1, two: [{ three: 3, four: null }] } }), 202)
  const proof = await prove(emailSession.key, first)
  const mismatch = { status: 401, code: 'WALLET_SIGNATURE_BODY_MISMATCH' }
  expect(await send({ note: { two: [{ three: 3, four: 4 }], one: 1 }, clientPublicKey }, proof)).toMatchObject(mismatch)
  expectStatus(await send({ note: { two: [{ three: 3 }], one: 1 }, clientPublicKey }, proof), 200)
})

it('the customer type is required with a change and optional on the retry', async () => {
  const { platform, wallet, emailSession } = house
  const send = (body: object, proof = {}) =>
    callRest(platform, 'PATCH', `/customers/${wallet.customerId}`, { body, proof })
  const email = `new-${wallet.email}`
  for (const wrong of [{}, { customerType: 'BUSINESS' }]) {
    expect(await send({ ...wrong, email })).toMatchObject({ status: 400, details: { field: 'customerType' } })
  }
  const first = expectStatus(await send({ customerType: 'INDIVIDUAL', email }), 202)
  expectStatus(await send({ email }, await prove(emailSession.key, first)), 200)
})
