// Every operation of REST on the configuration and on webhooks.
import { expect } from 'vitest'
import { db } from '#database/db.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform } from '#test/setup/world.ts'

export const useEveryWebhookOperation = async (): Promise<void> => {
  const platform = await createPlatform()
  // The endpoint's answers keep an event waiting, so that it can be skipped.
  const receiver = await startReceiver(() => 500)
  await send(platform, 'PATCH', '/config', {
    webhookEndpoint: receiver.url,
    umaDomain: 'pay.platform.example',
    supportedCurrencies: [
      {
        currencyCode: 'USD',
        minAmount: 1,
        maxAmount: 1_000_000,
        requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }],
        enabledTransactionTypes: ['OUTGOING'],
      },
    ],
    embeddedWalletConfig: { appName: 'Acme', logoUrl: 'https://platform.example/logo.png' },
    cardTokenization2faConfig: { email: { fromAddress: 'cards@platform.example' }, sms: { bodyText: 'Code' } },
    feeConfigs: [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 30,
        fixedFee: { amount: 50, currency: { code: 'USD' } },
      },
    ],
  })
  await send(platform, 'GET', '/config')
  await send(platform, 'POST', '/sandbox/webhooks/test')
  await send(platform, 'POST', '/webhooks/key/rotate')
  const { body } = await send(platform, 'GET', '/webhooks/deliveries')
  const [{ eventId }] = body.data
  // An attempt that has begun may still end the wait.
  const skipWaiting = async () => {
    await db.$executeRaw`delete from webhook_lanes where platform_id = ${platform.id}::uuid`
    await db.$executeRaw`
      update webhook_deliveries set status = 'PENDING', done_at = null, give_up_at = now() + interval '1 day'
      where platform_id = ${platform.id}::uuid`
    return (await send(platform, 'POST', `/webhooks/events/${eventId}/skip`)).status
  }
  await expect.poll(skipWaiting).toBe(200)
  await send(platform, 'POST', `/webhooks/events/${eventId}/redeliver`)
  await send(platform, 'POST', '/webhooks/redeliver', { since: '2026-01-01' })
  receiver.close()
}
