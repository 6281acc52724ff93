// The mutations that pass the SCA challenge of a quote.
import '#sca/factors/graphql.ts'
import { selectWritten } from '#database/record.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { QuoteNode } from '#quotes/graphql.ts'
import { QuoteRecord } from '#quotes/quote.ts'
import { authorizeQuote, quoteAuthorization, quoteOfChallenge, resendQuoteCode } from './authorize.ts'

const STATUSES = [400, 403, 404, 409, 423, 429] as const

addMutation('authorizeQuote', {
  description:
    'Passes the SCA challenge of a quote, which starts the payment. `BadRequestError` for a wrong proof; `RateLimitError` after five wrong proofs. `ConflictError` without a challenge (`NO_SCA_CHALLENGE`), after its expiry (`SCA_CHALLENGE_EXPIRED`), and outside SCA regions (`NO_SCA_REGION`).',
  input: schemaInput(quoteAuthorization, (t) => ({
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  })),
  statuses: STATUSES,
  usesCredential: true,
  resolve: async ({ idempotencyKey: key, ...input }, { caller }) => {
    const call = { operation: 'authorizeQuote', key, input, schema: quoteAuthorization } as const
    const authorize = async (record: RecordResult) =>
      selectWritten(caller, QuoteRecord, await authorizeQuote(caller, input.id, input, record))
    return { quote: await makeOnce(caller, call, QuoteRecord, authorize) }
  },
  success: {
    description: 'The challenge is passed. REST: 200.',
    fields: (t) => ({
      quote: t.expose('quote', {
        type: QuoteNode,
        nullable: false,
        description:
          'The quote: being executed, or `PENDING` with its payment instructions if it is funded in real time.',
      }),
    }),
  },
})

addMutation('resendQuoteCode', {
  description:
    'Sends the code of the SCA challenge of a quote again, which voids the earlier one. `ConflictError` for a factor other than `SMS_OTP`; `RateLimitError` within 30 seconds of the last code.',
  input: schemaInput(quoteOfChallenge),
  statuses: STATUSES,
  resolve: async ({ id }, { caller }) => {
    await resendQuoteCode(caller, id)
    return { quoteId: id }
  },
  success: {
    description: 'A new code was sent. REST: 204.',
    fields: (t) => ({
      quote: t.field({
        type: QuoteNode,
        description: 'The quote.',
        resolve: ({ quoteId }, _args, context) => load(context, QuoteRecord.byIds, quoteId.slice('Quote:'.length)),
      }),
    }),
  },
})
