// What customers of the sandbox do, and how often.
import { randomInt } from 'node:crypto'
import { type Activity, amount, topUp, withMoney } from './activity.ts'
import { AGENT_ACTIVITIES } from './agent-activities.ts'
import { CARD_ACTIVITIES } from './card-activities.ts'
import { pick } from './resident.ts'

const SENDERS = ['$success.usd', '$success.eur', '$sam', '$fail.compliance.usd'].map(
  (name) => `${name}@sandbox.example`,
)

export const ACTIVITIES: readonly [Activity, ...Activity[]] = [
  { name: 'deposit', weight: 2, act: topUp },
  {
    name: 'payment',
    weight: 4,
    act: (call, resident) =>
      withMoney(call, resident, async () => {
        const quote = await call('POST', '/quotes', {
          source: { sourceType: 'ACCOUNT', accountId: resident.account },
          destination: { destinationType: 'ACCOUNT', accountId: pick(resident.payees) },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: amount(),
        })
        await call('POST', `/quotes/${quote.id}/execute`)
      }),
  },
  {
    name: 'cancellation',
    weight: 1,
    act: (call, resident) =>
      withMoney(call, resident, async () => {
        const quote = await call('POST', '/quotes', {
          source: { sourceType: 'ACCOUNT', accountId: resident.account },
          destination: { destinationType: 'ACCOUNT', accountId: resident.slowPayee, paymentRail: 'ACH' },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: amount(),
        })
        await call('POST', `/quotes/${quote.id}/execute`)
        await call('POST', `/transactions/${quote.transactionId}/cancel`, { reason: 'Changed my mind' })
      }),
  },
  {
    name: 'transfer out',
    weight: 2,
    act: (call, resident) =>
      withMoney(call, resident, () =>
        call('POST', '/transfer-out', {
          source: { accountId: resident.account },
          destination: { accountId: pick(resident.payees), paymentRail: 'ACH' },
          amount: amount(),
        }),
      ),
  },
  {
    name: 'transfer in',
    weight: 1,
    act: async (call, { bank, account }) => {
      await call('POST', '/transfer-in', {
        source: { accountId: bank },
        destination: { accountId: account },
        amount: amount(),
      })
    },
  },
  {
    name: 'pushed payment',
    weight: 1,
    act: async (call, { customerId, payees }) => {
      const quote = await call('POST', '/quotes', {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
        destination: { destinationType: 'ACCOUNT', accountId: pick(payees) },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: amount(),
      })
      // One payer in five sends the wrong amount.
      const wrong = randomInt(5) === 0 && { currencyAmount: quote.totalSendingAmount + 1 }
      await call('POST', '/sandbox/send', { quoteId: quote.id, currencyCode: 'USD', ...wrong })
    },
  },
  {
    name: 'UMA payment',
    weight: 2,
    act: async (call, { umaAddress }) => {
      const { id } = await call('POST', '/sandbox/uma/receive', {
        senderUmaAddress: pick(SENDERS),
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: amount(),
        receiverUmaAddress: umaAddress,
      })
      // An endpoint of the platform may have decided already.
      const decision = randomInt(5) === 0 ? 'reject' : 'approve'
      await call('POST', `/transactions/${id}/${decision}`).catch((error) => {
        if (!String(error).includes('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')) throw error
      })
    },
  },
  ...CARD_ACTIVITIES,
  ...AGENT_ACTIVITIES,
]
