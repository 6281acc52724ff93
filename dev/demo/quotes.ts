import type { Prisma } from '#generated/prisma/client.ts'
import type { Dice } from './dice.ts'
import { type Life, momentOf } from './life.ts'
import type { Price } from './rates.ts'
import { later, type World } from './world.ts'

type Facts = Pick<
  Prisma.QuoteCreateManyInput,
  | 'customerId'
  | 'agentId'
  | 'sourceType'
  | 'sourceInternalAccountId'
  | 'destinationType'
  | 'destinationInternalAccountId'
  | 'destinationExternalAccountId'
  | 'destinationUmaAddress'
  | 'destinationPaymentRail'
  | 'paymentInstructions'
  | 'counterpartyInformation'
  | 'rateDetails'
>

const STATUSES = ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const

/** The status of a quote follows that of its payment. */
export const addQuote = (
  world: World,
  dice: Dice,
  name: string,
  facts: Facts,
  price: Price,
  life: Life,
  validity: number,
) => {
  const { platformId } = world
  const id = world.id(`quote/${name}`)
  const status = STATUSES.find((each) => each === life.status) ?? 'FAILED'
  world.rows.quotes.push({
    ...facts,
    platformId,
    id,
    status,
    sendingCurrency: price.sending,
    receivingCurrency: price.receiving,
    totalSendingAmount: price.send,
    totalReceivingAmount: price.receive,
    exchangeRate: price.exchangeRate,
    feesIncluded: price.fees,
    platformFeesIncluded: price.platformFees,
    expiresAt: later(life.createdAt, validity),
    createdAt: life.createdAt,
    updatedAt: life.updatedAt,
  })
  if (status === 'PENDING_AUTHORIZATION') {
    const factor = dice.pick(['PASSKEY', 'TOTP', 'SMS_OTP'] as const)
    const asked = momentOf(life, status) ?? life.createdAt
    world.rows.scaChallenges.push({
      platformId,
      id: world.id(`sca-challenge/${name}`),
      quoteId: id,
      factor,
      availableFactors: factor === 'SMS_OTP' ? [factor] : [factor, 'SMS_OTP'],
      purpose: facts.destinationInternalAccountId ? 'CURRENCY_CONVERSION' : 'PAYOUT',
      ...(factor === 'PASSKEY' && { passkeyAssertionOptions: assertionOptions(dice) }),
      passkeyAllowedOrigins: factor === 'PASSKEY' ? ['https://app.demo.example'] : [],
      expiresAt: later(asked, 300),
      createdAt: asked,
    })
  }
  return id
}

const assertionOptions = (dice: Dice) => ({
  challenge: dice.base58(43),
  rpId: 'demo.example',
  timeout: 300_000,
  userVerification: 'required',
  allowCredentials: [{ id: dice.base58(32), type: 'public-key', transports: ['internal'] }],
})
