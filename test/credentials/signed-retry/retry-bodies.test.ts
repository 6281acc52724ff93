// How the body of a signed retry may differ from the body of its first leg.
import { beforeAll, describe, expect, it } from 'vitest'
import { callRest, credentialFaces, type Proof } from '#test/setup/credentials/credential-faces.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household } from '#test/setup/credentials/wallet-operations.ts'
import { expectStatus, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { createCustomer, createPlatform } from '#test/setup/world.ts'

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

describe.each(credentialFaces)('over $name', (face) => {
  const createOne = async () => createHousehold(face, await createPlatform())

  it('the first call makes every check of a change that must be signed, and changes nothing', async () => {
    const { platform, wallet } = await createOne()
    const taken = { umaAddress: '$taken@pay.example' }
    await createCustomer(platform, taken)
    const change = (others: object) =>
      face.updateCustomer(platform, wallet.customerId, { email: `new-${wallet.email}`, ...others })
    expect(await change({ currencies: ['XXX'] })).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    expect(await change(taken)).toMatchObject({ status: 409, code: 'UMA_ADDRESS_EXISTS' })
    const read = async () => (await callRest(platform, 'GET', `/customers/${wallet.customerId}`)).body
    const before = await read()
    expect((await change({ region: 'MX', umaAddress: '$free@pay.example' })).status).toBe(202)
    expect(await read()).toEqual(before)
  })

  it('a retry cannot clear a field that the first call kept, or name another type of customer or none', async () => {
    const { platform, wallet, emailSession } = await createOne()
    const email = `new-${wallet.email}`
    const send = (others: object, proof?: Proof) =>
      face.updateCustomer(platform, wallet.customerId, { email, ...others }, proof)
    const proof = await prove(emailSession.key, expectStatus(await send({}), 202))
    const others = face.name === 'REST' ? ['BUSINESS', 'x', null, undefined] : []
    for (const wrong of [{ region: null }, ...others.map((customerType) => ({ customerType }))]) {
      expect(await send(wrong, proof)).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_BODY_MISMATCH' })
    }
    expectStatus(await send({}, proof), 200)
  })
})

it('the customer type is required over REST, and a change that begins there can be finished over GraphQL', async () => {
  const { platform, wallet, emailSession } = house
  const [graphql] = credentialFaces
  const send = (body: object) => callRest(platform, 'PATCH', `/customers/${wallet.customerId}`, { body })
  const email = `new-${wallet.email}`
  for (const wrong of [{}, { customerType: 'BUSINESS' }]) {
    expect(await send({ ...wrong, email })).toMatchObject({ status: 400, details: { field: 'customerType' } })
  }
  const first = expectStatus(await send({ customerType: 'INDIVIDUAL', email }), 202)
  const proof = await prove(emailSession.key, first)
  expect(await graphql?.updateCustomer(platform, wallet.customerId, { email }, proof)).toMatchObject({ status: 200 })
})
