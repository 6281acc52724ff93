// A payment from a UMA address, from the announcement to the account, through the endpoint of the platform.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { fundsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createCustomer, createInternalAccount, createPlatform } from '#test/setup/world.ts'

useSending()

it.each([
  [{ status: 200, body: JSON.stringify({ receiverCustomerInfo: { BIRTH_DATE: '1990-12-10' } }) }, 'COMPLETED', 2_500],
  [{ status: 200 }, 'FAILED MISSING_MANDATORY_PAYEE_DATA', 0],
  [{ status: 403, body: JSON.stringify({ reason: 'Unknown sender' }) }, 'REJECTED Unknown sender', 0],
  [{ status: 500 }, 'FAILED PAYMENT_APPROVAL_WEBHOOK_ERROR', 0],
])('an endpoint that answers %j: %s', async (answer, end, credited) => {
  const platform = await createPlatform()
  const receiver = await startReceiver(({ type }) => (type === 'INCOMING_PAYMENT.PENDING' ? answer : 200))
  await setEndpoint(platform, receiver.url)
  const address = { line1: '1 Market Street', postalCode: '94105', country: 'US' }
  const { id } = await createCustomer(platform, { name: 'Ada', profile: { nationality: 'US', address } })
  const account = publicId(
    'InternalAccount',
    (await createInternalAccount(platform, { customerId: id, balance: 0n })).id,
  )
  const { body } = await send(platform, 'POST', '/sandbox/uma/receive', {
    senderUmaAddress: '$success.usd@sandbox.example',
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 2_500,
    customerId: publicId('Customer', id),
  })
  await expect.poll(async () => (await timelineOf(platform, body.id)).length).toBeGreaterThan(2)
  const asked = receiver.received.find(({ type }) => type === 'INCOMING_PAYMENT.PENDING')
  expect(JSON.parse(asked?.text ?? '{}').data).toMatchObject({
    id: body.id,
    status: 'PENDING',
    requestedReceiverCustomerInfoFields: [{ name: 'BIRTH_DATE', mandatory: true }],
  })
  await send(platform, 'POST', '/sandbox/advance-time', { seconds: 4 })
  expect((await timelineOf(platform, body.id)).at(-1)).toBe(end)
  expect(await fundsOf(platform, account)).toEqual([credited, credited])
  receiver.close()
})
