// A payment's quote, and a quote's payment.
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { scaChallengesOfQuotes } from '#sca/challenge/challenge.ts'
import { ScaChallengeNode } from '#sca/challenge/graphql.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import { paymentTransactionsByIds } from '#transactions/transaction.ts'
import { QuoteNode } from './graphql.ts'
import { paymentIdsOfQuotes, QUOTE_TEXTS, QuoteRecord } from './quote.ts'

builder.interfaceFields(PaymentInterface, (t) => ({
  quote: t.field({
    type: QuoteNode,
    description: 'Quote that triggered the payment.',
    ...rowOf(QuoteRecord, 'quoteId'),
  }),
  scaChallenge: t.field({
    type: ScaChallengeNode,
    description: QUOTE_TEXTS.scaChallenge,
    resolve: ({ status, quoteId }, _args, context) =>
      status === 'PENDING_AUTHORIZATION' ? loadOptional(context, scaChallengesOfQuotes, quoteId) : null,
  }),
}))

builder.objectFields(QuoteNode, (t) => ({
  transactionId: t.id({
    nullable: false,
    description: QUOTE_TEXTS.transactionId,
    extensions: costing({ rows: 1 }),
    resolve: async ({ id }, _args, context) => {
      const paymentId = await load(context, paymentIdsOfQuotes, id)
      // `insertQuote` writes both in one transaction. No constraint of the database enforces it.
      if (paymentId === null) throw new Error('A quote without its payment')
      return publicId('Transaction', paymentId)
    },
  }),
  transaction: t.field({
    type: PaymentInterface,
    description: 'The payment.',
    extensions: costing({ rows: 2 }),
    resolve: async ({ id }, _args, context) =>
      loadOptional(context, paymentTransactionsByIds, await load(context, paymentIdsOfQuotes, id)),
  }),
}))
