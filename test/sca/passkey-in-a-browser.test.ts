// Chromium enrols a passkey as a second factor and logs in with it, on a page of an origin that the platform has configured.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openDevice, startBrowser } from '#test/setup/browser.ts'
import { createEuropean } from '#test/setup/sca/europeans.ts'
import { callRest, type Json, scaFaces } from '#test/setup/sca/sca-faces.ts'

/** Runs in the page. */
const CREATE = `async (options) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}`
const GET = `async (options) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}`

describe.skipIf(!hasBrowser)(`passkeys of customers in a browser${hasBrowser ? '' : ' (skipped: no Chromium)'}`, () => {
  let browser: Browser
  let site: Server
  let origin: string

  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>A platform</title>')
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    origin = `http://localhost:${(site.address() as AddressInfo).port}`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    site.close()
  })

  const inPage = (page: Page, work: string, options: Json): Promise<Json> =>
    page.evaluate(`(${work})(${JSON.stringify(options)})`)

  it.each(scaFaces)('over $name: one is enrolled and logs in, and each assertion counts once', async (face) => {
    const { platform, customerId } = await createEuropean()
    await callRest(platform, 'PATCH', '/config', { passkeyConfig: { origins: [origin] } })
    const { page } = await openDevice(browser, origin)

    const { body: issued } = await face.enrol(platform, { customerId, type: 'PASSKEY' })
    expect(issued).toMatchObject({ allowedOrigins: [origin], relyingPartyId: 'localhost' })
    const created = await inPage(page, CREATE, issued.options)
    const { clientDataJSON: clientDataJson, attestationObject, transports } = created.response
    const credential = { credentialId: created.id, clientDataJson, attestationObject, transports }
    expect(await face.confirm(platform, { customerId, origin, credential })).toMatchObject({
      status: 200,
      body: { factor: { type: 'PASSKEY' } },
    })

    const login = { customerId, factor: 'PASSKEY' }
    const { body: started } = await face.startLogin(platform, login)
    const { id: credentialId, response } = await inPage(page, GET, started.scaChallenge.passkeyAssertionOptions)
    const { authenticatorData, signature } = response
    const passkeyAssertion = { credentialId, clientDataJson: response.clientDataJSON, authenticatorData, signature }
    const complete = () => face.completeLogin(platform, { ...login, origin, passkeyAssertion })
    expect(await complete()).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED' } })
    expect(await complete()).toMatchObject({ status: 409, body: { details: { reason: 'NO_SCA_CHALLENGE' } } })
    await page.close()
  })
})
