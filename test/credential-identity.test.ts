// Which credential is the same as another: what is already there, and what is not.
import { beforeAll, describe, expect, it } from 'vitest'
import { credentialFaces } from './setup/credential-faces.ts'
import { newIdentity } from './setup/oidc-issuer.ts'
import { softwareAuthenticator } from './setup/software-authenticator.ts'
import { addOauth, addPasskey, bornWith, expectStatus, signedRetry } from './setup/wallet-sessions.ts'
import { createPlatform, createWallet, type Platform } from './setup/world.ts'

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  it('the same subject at another issuer, or for another audience, is somebody else', async () => {
    const wallet = await createWallet(platform)
    const session = await bornWith(face, wallet).open()
    const identity = newIdentity()
    const others = [
      identity,
      { ...identity, iss: 'https://appleid.apple.com' },
      { ...identity, aud: 'another.example' },
    ]
    const ids = new Set<string>()
    for (const other of others) ids.add((await addOauth(face, wallet, session, other)).id)
    expect(ids.size).toBe(3)
  })

  it('a passkey that was revoked may be registered again', async () => {
    const wallet = await createWallet(platform)
    const session = await bornWith(face, wallet).open()
    const authenticator = softwareAuthenticator()
    const first = await addPasskey(face, wallet, session, { authenticator })
    expectStatus(await signedRetry(session.key, (proof) => face.revoke(platform, first.id, proof)), 204)
    const second = await addPasskey(face, wallet, session, { authenticator })
    expect(second.id).not.toBe(first.id)
    await second.open()
  })
})
