// A gateway with a single database connection: no change needs a second one while it holds the first.
// Own process: sets DATABASE_POOL_SIZE.
import { describe, expect, it, vi } from 'vitest'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { createHousehold, OPERATION_NAMES, OPERATIONS } from '#test/setup/credentials/wallet-operations.ts'
import { addPasskey, expectStatus, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform } from '#test/setup/world.ts'

vi.hoisted(() => {
  Object.assign(process.env, { DATABASE_POOL_SIZE: '1', DATABASE_WAIT_MS: '2000' })
})

describe.each(credentialFaces)('over $name with one connection', (face) => {
  it.each(OPERATION_NAMES)('%s succeeds', async (name) => {
    const operation = await OPERATIONS[name](await createHousehold(face, await createPlatform()))
    const first = expectStatus(await operation.send(), 202)
    expect((await operation.send(await prove(operation.key, first))).status).toBe(operation.success)
  })

  it('a passkey is registered and opens a session', async () => {
    const { wallet, emailSession } = await createHousehold(face, await createPlatform())
    const passkey = await addPasskey(face, wallet, emailSession)
    expect((await passkey.open()).id).toBeTruthy()
  })
})
