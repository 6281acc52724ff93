// Hostile identity tokens over both APIs (docs/domain/credentials.md#oidc-tokens): none is accepted or causes an internal error.
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Claims, startIssuer, tokenOf } from '#test/setup/credentials/oidc-issuer.ts'
import { newKey, nonceOf } from '#test/setup/credentials/wallet.ts'
import {
  createHouseholds,
  createTally,
  forgive,
  STRANGE_VALUES,
  textMutants,
} from '#test/setup/credentials/wallet-mutants.ts'
import type { Household } from '#test/setup/credentials/wallet-operations.ts'
import { addOauth, expectStatus } from '#test/setup/credentials/wallet-sessions.ts'
import { useSettings } from '#test/setup/settings.ts'
import { changePlatform } from '#test/setup/world.ts'

const issuer = await startIssuer()
useSettings({ oidcIssuers: ['https://accounts.google.com', 'https://appleid.apple.com', issuer.url] })
afterAll(() => issuer.stop())

const tally = createTally('hostile identity tokens')

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

let houses: Household[]
beforeAll(async () => {
  houses = await createHouseholds()
})

describe('identity tokens', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const TIMES = [null, 'now', '1', [], {}, true, -1, 0, 1e99, Number.MAX_SAFE_INTEGER]

  it('with invalid claims are refused, signed or not', { timeout: 300_000 }, async () => {
    for (const house of houses) {
      const { face, platform, oauth } = house
      const { identity } = oauth
      const send = async (slice: string, oidcToken: unknown, clientPublicKey: string) => {
        await forgive(oauth.id)
        tally.refused(
          slice,
          oidcToken,
          await face.verify(platform, oauth.id, { type: 'OAUTH', oidcToken, clientPublicKey }),
        )
      }
      const clientPublicKey = newKey().publicKey
      const claims = () => ({
        ...identity,
        email: undefined,
        nonce: nonceOf(clientPublicKey),
        iat: now(),
        exp: now() + 60,
      })
      const wrong: Claims[] = [
        ...['iat', 'exp'].flatMap((name) => [...TIMES.slice(0, 8), undefined].map((value) => ({ [name]: value }))),
        { iat: 1e99 },
        { iat: now() - 3600 },
        { iat: now() + 600 },
        { nbf: now() + 600 },
        ...['iss', 'aud', 'sub', 'nonce'].flatMap((name) =>
          [...STRANGE_VALUES, undefined].map((value) => ({ [name]: value })),
        ),
        ...[
          'https://accounts.google.com.evil.example',
          'https://accounts.google.com/',
          'http://accounts.google.com',
          'HTTPS://accounts.google.com',
          'Accounts.google.com',
          'accounts.google.com.',
          ' https://accounts.google.com',
        ].map((iss) => ({ iss })),
        { aud: [identity?.aud, 'other'] },
        { aud: [] },
        { aud: [[identity?.aud]] },
      ]
      for (const claim of wrong)
        await send('token: claims', tokenOf({ alg: 'RS256' }, { ...claims(), ...claim }), clientPublicKey)
      const honest = tokenOf({ alg: 'RS256' }, claims(), 'AAAA')
      const [header, payload = '', signature] = honest.split('.')
      const isStillRight = (text: string) => {
        try {
          const said = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
          const { iss, aud, sub, nonce } = claims()
          const isSame = said.iss === iss && said.aud === aud && said.sub === sub && said.nonce === nonce
          return isSame && Math.abs(said.iat - now()) < 70 && said.exp > now()
        } catch {
          return false
        }
      }
      for (const bent of textMutants(payload, 2).filter((text) => !isStillRight(text))) {
        await send('token: payload', `${header}.${bent}.${signature}`, clientPublicKey)
      }
      for (const form of [
        `${honest}=`,
        ` ${honest}`,
        `${honest}\n`,
        `${honest}.`,
        `.${honest}`,
        `${header}..${signature}`,
        `${header}.${payload}`,
        `${header}.${payload}.`,
        honest.replaceAll('.', ','),
      ]) {
        await send('token: form', form, clientPublicKey)
      }
      for (const value of STRANGE_VALUES) await send('token: values', value, clientPublicKey)
      const twice = base64url(JSON.stringify(claims()).replace('{', `{"sub":"other",`))
      await send('token: twice', `${header}.${twice}.${signature}`, clientPublicKey)
    }
  })

  it('not signed by the issuer are refused in production', async () => {
    for (const house of houses) {
      const { face, platform, wallet } = house
      const identity = issuer.identity()
      const { id } = await addOauth(face, wallet, house.emailSession, identity)
      await changePlatform(platform, { environment: 'PRODUCTION' })
      const { publicKey: clientPublicKey } = newKey()
      const claims = () => ({
        ...identity,
        nonce: nonceOf(clientPublicKey),
        jti: String(tally.counts.tried),
        iat: now(),
        exp: now() + 60,
      })
      const send = async (oidcToken: string) => {
        await forgive(id)
        const verified = await face.verify(platform, id, { type: 'OAUTH', oidcToken, clientPublicKey })
        tally.refused('token: forged', oidcToken, verified)
        if (tally.counts.tried % 3 !== 0) return
        const registered = await face.register(platform, { type: 'OAUTH', accountId: wallet.accountId, oidcToken })
        tally.refused('token: forged at registration', oidcToken, registered)
      }
      const pem = issuer.publicKey.export({ type: 'spki', format: 'pem' })
      const der = issuer.publicKey.export({ type: 'spki', format: 'der' })
      const secrets = [pem, der, String(pem).trim(), JSON.stringify(issuer.jwk), String(issuer.jwk.n), '']
      const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const embedded = {
        jwk: stranger.publicKey.export({ format: 'jwk' }),
        jku: `${issuer.url}/other`,
        x5u: 'http://169.254.169.254/',
      }
      for (const alg of [
        'none',
        'None',
        'NONE',
        'nOnE',
        '',
        'RS256',
        'HS256',
        'PS256',
        'RS512',
        'ES256',
        'EdDSA',
        'RS1',
        null,
        7,
        [],
        {},
      ]) {
        for (const signature of ['AAAA', base64url(Buffer.alloc(64)), base64url(Buffer.alloc(256))]) {
          await send(tokenOf({ alg, kid: 'key-1' }, claims(), signature))
        }
      }
      for (const secret of secrets) {
        for (const alg of ['HS256', 'RS256']) {
          const text = tokenOf({ alg, kid: 'key-1' }, claims(), '').slice(0, -1)
          await send(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)
        }
      }
      const keys: [object, KeyObject][] = [
        [{ alg: 'RS256', kid: 'key-1' }, stranger.privateKey],
        [{ alg: 'RS256', kid: 'key-1', ...embedded }, stranger.privateKey],
        [{ alg: 'RS256', ...embedded }, stranger.privateKey],
        [{ alg: 'ES256', kid: 'key-1' }, ec.privateKey],
        [{ alg: 'RS256', crit: ['b64'], b64: false, kid: 'key-1' }, stranger.privateKey],
        ...['../key-1', "key-1' or 1=1", 'x'.repeat(5000), '', null, 7].map((kid): [object, KeyObject] => [
          { alg: 'RS256', kid },
          stranger.privateKey,
        ]),
      ]
      for (const [header, key] of keys) await send(issuer.signed(header, claims(), key))
      const [header = '', payload = '', signature = ''] = issuer.token(identity, claims()).split('.')
      for (const bent of textMutants(signature, 8)) await send(`${header}.${payload}.${bent}`)
      for (const bent of textMutants(payload, 8)) await send(`${header}.${bent}.${signature}`)
      for (const bent of textMutants(header, 2)) await send(`${bent}.${payload}.${signature}`)
      const honest = { type: 'OAUTH', oidcToken: `${header}.${payload}.${signature}`, clientPublicKey }
      await forgive(id)
      expectStatus(await face.verify(platform, id, honest), 200)
      await changePlatform(platform, { environment: 'SANDBOX' })
    }
    console.log(`issuer asked ${issuer.timesAsked()} times`)
  })
})

it('none was accepted, none caused an internal error, and every refusal had the same shape', () => {
  tally.expectNone({
    'token: claims': 240,
    'token: payload': 50,
    'token: form': 18,
    'token: values': 42,
    'token: twice': 2,
    'token: forged': 190,
    'token: forged at registration': 80,
  })
})
