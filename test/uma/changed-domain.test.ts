// A platform changes its UMA domain while payments are under way (docs/domain/uma.md#keys).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notifyPayee } from '#settlement/uma/pay.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import * as paying from '#test/setup/uma/paying.ts'
import * as receiving from '#test/setup/uma/receiving.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(async () => {
  await paying.openPayer()
  await receiving.openReceiver()
})
afterAll(() => {
  paying.closePayer()
  receiving.closeReceiver()
})

it.each(['elsewhere.example', null])(
  'the payee is notified under the domain of the payment, not %s',
  async (umaDomain) => {
    const { platform } = paying.payer
    const peer = await paying.meet()
    const { body: found } = await paying.lookUp(peer.address)
    const { body: quote } = await paying.quote(peer.address, found.lookupId)
    expect((await send(platform, 'POST', `/quotes/${quote.id}/execute`)).body.status).toBe('PROCESSING')
    expect((await send(platform, 'PATCH', '/config', { umaDomain })).status).toBe(200)
    const domains: string[] = []
    peer.handlers.done = (_request, response, body) => {
      domains.push(JSON.parse(body).vaspDomain)
      response.end(JSON.stringify(peer.goodDone(body)))
    }
    await notifyPayee({ platformId: platform.id, transactionId: quote.transactionId.slice('Transaction:'.length) })
    await expect
      .poll(async () => (await send(platform, 'GET', `/quotes/${quote.id}`)).body.status, { timeout: 5_000 })
      .toBe('COMPLETED')
    expect(domains).toEqual(['ours.example'])
    await send(platform, 'PATCH', '/config', { umaDomain: 'ours.example' })
  },
)

it('the payer is answered at the domain of the payment, where no new one begins', async () => {
  const { platform } = receiving.payee
  const demand = await receiving.openDemand()
  expect((await send(platform, 'PATCH', '/config', { umaDomain: 'elsewhere.example' })).status).toBe(200)
  expect(receiving.code(await receiving.lookUp())).toEqual([404, 'REQUEST_NOT_FOUND'])
  expect((await receiving.wire('/.well-known/lnurlpubkey')).status).toBe(200)
  const { status, body } = await receiving.wire(demand.path, await receiving.paidMessage(demand))
  expect([status, body.status]).toEqual([200, 'OK'])
  expect((await receiving.newest())?.status).toBe('COMPLETED')
})
