// Transactions of every type with every column that it may have, and with as few as possible.
import {
  cardCredit,
  cardUse,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from './world.ts'

/** `text` stands wherever any text may stand. */
export const createEveryTransaction = async (platform: Platform, text: string) => {
  const customer = await createCustomer(platform, { name: text, platformCustomerId: text, region: 'DE' })
  const owned = { customerId: customer.id, platformCustomerId: text }
  const account = await createInternalAccount(platform, { customerId: customer.id, balance: 9_000_000_000_000_000n })
  const bank = await createExternalAccount(platform, { customerId: customer.id, platformAccountId: text })
  const card = await createCard(platform, { customerId: customer.id, accountId: account.id })
  const at = new Date('2026-02-03T04:05:06.070Z')
  const common = {
    ...owned,
    description: text,
    counterpartyInformation: { FULL_NAME: text, __proto__x: '1' },
    settledAt: at,
    receiptDeliveryConfirmedAt: at,
    exchangeRate: '1.10',
    reconciliationReference: text,
    fees: 9_000_000_000_000_000n,
  }
  const details = {
    counterpartyMultiplier: 1.5,
    counterpartyFixedFee: 1,
    serviceApiMultiplier: 0.1,
    serviceApiFixedFee: 2,
    serviceApiVariableFeeRate: 0.003,
    serviceApiVariableFeeAmount: 3,
  }
  const cardFields = {
    ...owned,
    cardId: card.id,
    merchantDescriptor: text,
    merchantMcc: '5411',
    merchantCountry: 'DE',
    lastEventAt: at,
  }
  await createTransactions(platform, [
    incoming({ sourceType: null, sourceUmaAddress: null }),
    incoming({
      ...common,
      sourceType: 'REALTIME_FUNDING',
      sourceUmaAddress: null,
      sourceCurrency: 'EUR',
      sourceFunding: { accountHolderName: text, paymentRail: 'SEPA' },
      sourceTransactionHash: text,
      sourceNetwork: 'SOLANA',
      sentAmount: 0n,
      sentCurrency: 'JPY',
    }),
    incoming({ ...common, status: 'FAILED', failureReason: 'OFFRAMP_FAILED', reconciliationTransactionHash: text }),
    outgoing({
      ...common,
      sourceType: 'ACCOUNT',
      sourceInternalAccountId: account.id,
      destinationType: 'ACCOUNT',
      destinationUmaAddress: null,
      destinationExternalAccountId: bank.id,
      destinationCurrency: 'BTC',
      destinationPaymentRail: 'SEPA_INSTANT',
      destinationTransactionHash: text,
      destinationNetwork: 'BITCOIN',
      receivedAmount: 7n,
      receivedCurrency: 'BTC',
      platformFees: 8n,
      rateDetails: details,
      paymentInstructions: [
        {
          accountOrWalletInfo: { accountType: 'USD_ACCOUNT', accountNumber: text, paymentRails: ['ACH'] },
          instructionsNotes: text,
        },
        { accountOrWalletInfo: { accountType: 'LIGHTNING', invoice: text }, isPlatformAccount: false },
      ],
      paymentRail: 'SEPA',
      railSelectionMode: 'AUTO',
      expectedSettlementAt: at,
      settlementTimelineSeconds: 0,
      refundReference: text,
      refundInitiatedAt: at,
      refundStatus: 'COMPLETED',
      refundSettledAt: at,
      refundReason: 'TIMEOUT',
    }),
    outgoing({ ...common, status: 'FAILED', failureReason: 'LIGHTNING_PAYMENT_FAILED' }),
    cardUse({
      ...cardFields,
      sourceInternalAccountId: account.id,
      settledAmount: 1n,
      refundedAmount: 2n,
      pullCount: 1,
      pullTotalAmount: 3n,
      pullPendingCount: 0,
      refundCount: 0,
      refundTotalAmount: 0n,
      settlementCount: 2,
      settlementTotalAmount: 4n,
    }),
    cardCredit({ ...cardFields, destinationInternalAccountId: account.id }),
  ])
}
