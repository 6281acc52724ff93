// Errors as part of the product: what can be answered, and what to do then.
import { ERROR_STATUS, type ErrorCode, isRetryable } from '#core/errors.ts'
import { builder } from '#graphql/builder.ts'
import { ERROR_CODES, ErrorCodeEnum, MEANINGS } from './error-codes.ts'

const ErrorCatalogEntryType = builder.objectRef<ErrorCode>('ErrorCatalogEntry').implement({
  description: 'An error code and what it stands for.',
  fields: (t) => ({
    code: t.field({ type: ErrorCodeEnum, nullable: false, description: 'The code.', resolve: (code) => code }),
    status: t.int({
      nullable: false,
      description: 'HTTP status that the REST interface answers with.',
      resolve: (code) => ERROR_STATUS[code],
    }),
    retryable: t.boolean({
      nullable: false,
      description: 'Whether the very same request may succeed later, after `Retry-After` where it is given.',
      resolve: isRetryable,
    }),
    meaning: t.string({ nullable: false, description: 'For developers.', resolve: (code) => MEANINGS[code] }),
  }),
})

builder.queryField('errorCatalog', (t) =>
  t.field({
    type: [ErrorCatalogEntryType],
    nullable: { list: false, items: false },
    description: 'Every error code of both interfaces.',
    resolve: () => ERROR_CODES,
  }),
)
