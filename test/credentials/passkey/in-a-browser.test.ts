// Chromium registers a passkey and signs in with it on a platform's site, whose backend calls the gateway over HTTP.
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { type Device, hasBrowser, openDevice, startBrowser } from '#test/setup/browser.ts'
import { type Answer, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { type Asserted, serveSite, type Wishes } from '#test/setup/credentials/passkey-site.ts'
import { type DeviceKey, openSessionKey } from '#test/setup/credentials/wallet.ts'
import { bornWith, expectStatus, signedRetry } from '#test/setup/credentials/wallet-sessions.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, createWallet } from '#test/setup/world.ts'

interface SignIn {
  readonly key: DeviceKey
  readonly sent: { readonly requestId: string; readonly assertion: Asserted }
  readonly answer: Answer
}

if (!hasBrowser) console.warn('passkeys in a browser: not run: no Chromium')

describe.skipIf(!hasBrowser)(`passkeys in a browser${hasBrowser ? '' : ' (skipped: no Chromium)'}`, () => {
  let gateway: GatewayProcess
  let browser: Browser
  const closing: (() => unknown)[] = []

  beforeAll(async () => {
    gateway = await startGateway()
    // The usual calls, but over the network.
    vi.spyOn(app, 'fetch').mockImplementation(async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'GET' ? null : await request.text()
      return fetch(gateway.url + pathname + search, {
        method: request.method,
        headers: request.headers,
        // Without this, fetch would add a content type to an empty body.
        ...(body && { body }),
      })
    })
    browser = await startBrowser()
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await browser.close()
    await gateway.kill()
  })

  describe.each(credentialFaces)('over $name', (face) => {
    /** A customer on the site with a device and a session from an email code. */
    const visit = async ({ requiresUserVerification = true, verifiesUser = true } = {}) => {
      const platform = await createPlatform()
      await db.platform.update({
        where: { id: platform.id },
        data: { passkeyRequireUserVerification: requiresUserVerification },
      })
      const wallet = await createWallet(platform)
      const site = await serveSite({ face, wallet, session: await bornWith(face, wallet).open() })
      const device = await openDevice(browser, site.url, { verifiesUser })
      closing.push(site.close, () => device.page.close())
      return { platform, wallet, site, device }
    }

    const inPage = <T>({ page }: Pick<Device, 'page'>, call: string, ...given: unknown[]): Promise<T> =>
      page.evaluate(`${call}(...${JSON.stringify(given)})`)
    const register = (device: Device, wishes: Wishes = {}) => inPage<Answer>(device, 'register', wishes)
    const signIn = (device: Device, wishes: Wishes = {}) => inPage<SignIn>(device, 'signIn', wishes)
    const send = (device: Device, sent: SignIn['sent']) => inPage<Answer>(device, 'post', '/sessions', sent)

    it.each([
      ['ES256', -7],
      ['RS256', -257],
      ['EdDSA', -8],
    ])('%s: a passkey is registered and signs in twice, and its session can sign', async (_name, algorithm) => {
      const { platform, wallet, device } = await visit()
      const registered = expectStatus(await register(device, { algorithm }), 201)
      expect(registered.body).toMatchObject({ type: 'PASSKEY', nickname: 'Chromium', accountId: wallet.accountId })

      for (const privateEnabled of [true, false]) {
        const { key, answer } = await signIn(device)
        const { body } = expectStatus(answer, 200)
        expect(body).toMatchObject({ type: 'PASSKEY', credentialId: registered.body.credentialId })
        const sessionKey = openSessionKey(body.encryptedSessionSigningKey, key)
        const signed = await signedRetry(sessionKey, (proof) =>
          face.updatePrivacy(platform, wallet.accountId, { privateEnabled }, proof),
        )
        expect(signed).toMatchObject({ status: 200, body: { privateEnabled } })
      }
    })

    it('an assertion is accepted once, and only for its own challenge', async () => {
      const { device } = await visit()
      await register(device)
      const { sent, answer } = await signIn(device)
      expectStatus(answer, 200)
      expect(await send(device, sent)).toMatchObject({
        code: 'INVALID_SIGNATURE',
        details: { reason: 'REQUEST_ID_CONSUMED' },
      })

      const issued = await inPage<Answer>(device, 'post', '/challenges', {
        clientPublicKey: (await signIn(device)).key.publicKey,
      })
      const { requestId } = issued.body
      expect(await send(device, { ...sent, requestId })).toMatchObject({
        code: 'UNAUTHORIZED',
        details: { reason: 'ASSERTION_CHALLENGE' },
      })
    })

    it('a cloned authenticator is detected by its signature counter', async () => {
      const { device } = await visit()
      await register(device)
      const { protocol, authenticatorId } = device
      const { credentials } = await protocol.send('WebAuthn.getCredentials', { authenticatorId })
      for (let count = 0; count < 2; count += 1) expectStatus((await signIn(device)).answer, 200)
      await protocol.send('WebAuthn.clearCredentials', { authenticatorId })
      for (const credential of credentials) {
        await protocol.send('WebAuthn.addCredential', { authenticatorId, credential })
      }
      expect((await signIn(device)).answer).toMatchObject({ details: { reason: 'ASSERTION_COUNTER' } })
    })

    it('a user who is present but not verified is refused unless the platform allows it', async () => {
      const careless = { userVerification: 'discouraged' } as const
      const strict = await visit({ verifiesUser: false })
      expect(await register(strict.device, careless)).toMatchObject({
        code: 'INVALID_INPUT',
        details: { reason: 'REGISTRATION_PRESENCE' },
      })

      const lax = await visit({ requiresUserVerification: false, verifiesUser: false })
      expectStatus(await register(lax.device, careless), 201)
      expectStatus((await signIn(lax.device, careless)).answer, 200)
      await db.platform.update({ where: { id: lax.platform.id }, data: { passkeyRequireUserVerification: true } })
      expect((await signIn(lax.device, careless)).answer).toMatchObject({ details: { reason: 'ASSERTION_PRESENCE' } })
    })

    it('an assertion from a frame of another site is refused', async () => {
      const { device, site } = await visit()
      await register(device)
      await device.page.goto(`http://127.0.0.1:${site.port}`)
      const allow = "allow='publickey-credentials-get *'"
      await device.page.setContent(`<iframe ${allow} src='${site.url}'></iframe>`)
      const frame = await vi.waitUntil(() => device.page.frames().find((each) => each.url().startsWith(site.url)))
      await frame.waitForFunction('globalThis.signIn')
      const { answer } = await frame.evaluate<SignIn>('signIn({})')
      expect(answer).toMatchObject({ code: 'UNAUTHORIZED', details: { reason: 'ASSERTION_ORIGIN' } })
    })
  })
})
