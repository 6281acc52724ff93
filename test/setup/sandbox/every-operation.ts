import { createOutside, createPayer, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { sandboxFaces } from './sandbox-faces.ts'

/** Uses every operation of the sandbox over REST, and cancels and confirms a payment. */
export const useEverySandboxOperation = async (): Promise<void> => {
  const face = sandboxFaces.find(({ name }) => name === 'REST')
  if (!face) throw new Error('REST is a face')
  const { platform, dollars, customerId } = await createPayer()
  await face.fund(platform, dollars, { amount: 100 })
  const slow = await createOutside(platform, '003', { paymentRails: ['ACH'] })
  const { body: pushed } = await send(platform, 'POST', '/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    destination: { destinationType: 'ACCOUNT', accountId: slow },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100,
  })
  await face.push(platform, { quoteId: pushed.id, currencyCode: 'USD' })
  await face.receiveUma(platform, {
    senderUmaAddress: '$success.usd@sandbox.example',
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 100,
    customerId,
  })
  const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, slow))
  await send(platform, 'POST', `/quotes/${quote.id}/execute`)
  await face.cancel(platform, quote.transactionId, { reason: 'Ordered twice' })
  await face.confirm(platform, quote.transactionId)
  await face.advanceTime(platform, { seconds: 1 })
}
