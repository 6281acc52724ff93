// The query `errorCatalog`, which documents every error code.
import { ERROR_STATUS, type ErrorCode, isRetryable } from '#core/errors.ts'
import { builder } from '#graphql/builder.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { ERROR_CODES, ErrorCodeEnum, MEANINGS } from './error-codes.ts'

const ErrorCatalogEntryType = builder.objectRef<ErrorCode>('ErrorCatalogEntry').implement({
  description: 'An error code and its meaning.',
  fields: (t) => ({
    code: t.field({ type: ErrorCodeEnum, nullable: false, description: 'The code.', resolve: (code) => code }),
    status: t.int({
      nullable: false,
      description: 'HTTP status of this code in REST.',
      resolve: (code) => ERROR_STATUS[code],
    }),
    retryable: t.boolean({
      nullable: false,
      description:
        'Whether the same request may succeed later. If the error gives `retryAfterSeconds`, wait that long.',
      resolve: isRetryable,
    }),
    meaning: t.string({
      nullable: false,
      description: 'Meaning of the code, for developers.',
      resolve: (code) => MEANINGS[code],
    }),
  }),
})

builder.queryField('errorCatalog', (t) =>
  t.field({
    type: [ErrorCatalogEntryType],
    nullable: { list: false, items: false },
    description: 'Every error code of GraphQL and REST.',
    extensions: costing({ rows: 1, items: () => ERROR_CODES.length }),
    resolve: () => ERROR_CODES,
  }),
)
