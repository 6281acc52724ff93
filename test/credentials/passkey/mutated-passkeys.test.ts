// Hostile passkeys over both APIs (docs/domain/credentials.md#passkey-assertion): none is accepted or causes an internal error.
import { beforeAll, describe, it } from 'vitest'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import {
  bitMutants,
  createHouseholds,
  createTally,
  forgive,
  lengthMutants,
  SPARSE,
  STRANGE_VALUES,
} from '#test/setup/credentials/wallet-mutants.ts'
import type { Household } from '#test/setup/credentials/wallet-operations.ts'
import { addPasskey, passkeyChallenge, passkeyRegistration } from '#test/setup/credentials/wallet-sessions.ts'

const tally = createTally('hostile passkeys')

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

let houses: Household[]
beforeAll(async () => {
  houses = await createHouseholds()
})

describe('passkeys', () => {
  it('assertions are refused when malformed', async () => {
    for (const house of houses) {
      const { face, platform, wallet, emailSession } = house
      const passkey = await addPasskey(face, wallet, emailSession)
      const { body } = await passkeyChallenge(face, wallet, passkey.id)
      const send = async (slice: string, assertion: object) => {
        await forgive(passkey.id)
        const input = { type: 'PASSKEY', assertion }
        tally.refused(slice, assertion, await face.verify(platform, passkey.id, input, { requestId: body.requestId }))
      }
      const honest = passkey.authenticator.get(body.challenge)
      for (const name of ['clientDataJson', 'authenticatorData', 'signature', 'credentialId'] as const) {
        const bytes = Buffer.from(honest[name], 'base64url')
        for (const bent of [...bitMutants(bytes, name === 'clientDataJson' ? 9 : 3), ...lengthMutants(bytes, 4)]) {
          await send(`assertion: ${name}`, { ...honest, [name]: base64url(bent) })
        }
        for (const value of [...STRANGE_VALUES, `${honest[name]}=`, ` ${honest[name]}`]) {
          await send('assertion: values', { ...honest, [name]: value })
        }
      }
      const origins = [
        'http://app.example',
        'https://app.example:8443',
        'https://app.example.',
        'https://xn--pp-yia.example',
        'null',
        '',
        'https://app.example@evil.example',
        'https://evil.example/app.example',
        'https://app.example.evil.example',
        'android:apk-key-hash:x',
        'https://APP.example/',
        'file://',
        'https://example',
      ]
      const twists = [
        ...origins.map((origin) => ({ origin })),
        ...['app.example.', 'example', 'https://app.example', ''].map((rpId) => ({ rpId })),
        ...[0, 0x04, 0x01, 0xc4, 0x80].map((flags) => ({ flags })),
        ...[
          body.challenge,
          base64url(Buffer.from(body.challenge, 'hex')),
          base64url(body.challenge.toUpperCase()),
          `${base64url(body.challenge)}=`,
          '',
        ].map((challenge) => ({ challenge })),
        ...['webauthn.create', 'payment.get', ''].map((type) => ({ type })),
        { crossOrigin: true },
        ...STRANGE_VALUES.map((origin) => ({ clientData: { origin } })),
      ]
      for (const twist of twists) await send('assertion: twists', passkey.authenticator.get(body.challenge, twist))
      await send('assertion: stranger', {
        ...softwareAuthenticator().get(body.challenge),
        credentialId: honest.credentialId,
      })
    }
  })

  it('attestations are refused when malformed', async () => {
    for (const house of houses) {
      const { face, platform, wallet } = house
      const send = async (slice: string, given: object) => {
        const honest = passkeyRegistration(wallet, softwareAuthenticator())
        const attestation = { ...honest.attestation, ...given }
        tally.refused(slice, given, await face.register(platform, { ...honest, attestation }))
      }
      const { attestation } = passkeyRegistration(wallet, softwareAuthenticator())
      const object = Buffer.from(attestation.attestationObject, 'base64url')
      for (const cut of lengthMutants(object)) await send('attestation: length', { attestationObject: base64url(cut) })
      for (const bent of bitMutants(Buffer.from(attestation.clientDataJson, 'base64url'), 9)) {
        await send('attestation: client data', { clientDataJson: base64url(bent) })
      }
      for (const name of ['credentialId', 'clientDataJson', 'attestationObject', 'transports']) {
        for (const value of STRANGE_VALUES) {
          // An empty list of transports is valid.
          if (!(name === 'transports' && Array.isArray(value) && value.length === 0))
            await send('attestation: values', { [name]: value })
        }
      }
      // The parts that identify it: hash of the relying party, credential id, algorithm and point.
      const bend = async (slice: string, authData: (honest: Buffer) => Buffer) => {
        const registration = passkeyRegistration(wallet, softwareAuthenticator(), { authData })
        tally.refused(slice, registration.attestation.attestationObject, await face.register(platform, registration))
      }
      const turn = (bit: number) => (honest: Buffer) => {
        const bent = Buffer.from(honest)
        bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        return bent
      }
      for (let bit = 0; bit < 32 * 8; bit += 4 * SPARSE) await bend('attestation: relying party', turn(bit))
      for (let bit = 53 * 8; bit < 87 * 8; bit += 4 * SPARSE) await bend('attestation: credential id', turn(bit))
      for (let bit = 87 * 8; bit < 164 * 8; bit += SPARSE) await bend('attestation: key', turn(bit))
      for (const length of [0, 1, 36, 37, 54, 87, 100])
        await bend('attestation: cut', (honest) => honest.subarray(0, length))
      await bend('attestation: behind', (honest) => Buffer.concat([honest, Buffer.from([0xa0])]))
    }
  })
})

it('none was accepted, none caused an internal error, and every refusal had the same shape', () => {
  tally.expectNone({
    'assertion: clientDataJson': 30,
    'assertion: authenticatorData': 20,
    'assertion: signature': 30,
    'assertion: credentialId': 15,
    'assertion: values': 180,
    'assertion: twists': 100,
    'assertion: stranger': 2,
    'attestation: length': 30,
    'attestation: client data': 15,
    'attestation: values': 160,
    'attestation: relying party': 10,
    'attestation: credential id': 10,
    'attestation: key': 90,
    'attestation: cut': 14,
    'attestation: behind': 2,
  })
})
