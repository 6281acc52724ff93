// Error types for payload unions: one for each status, and the interface `ApiError` that they implement.
import {
  type ApiError,
  type ErrorDetails,
  type FieldConstraint,
  type FieldError,
  MAX_FIELD_ERRORS,
} from '#core/errors.ts'
import { builder } from '#graphql/builder.ts'
import { ErrorCodeEnum } from './error-codes.ts'

/** The value behind an error member of a payload union. */
export interface Failure {
  readonly __typename: string
  readonly error: ApiError
  readonly traceId: string
}

export const FieldConstraintType = builder.objectRef<FieldConstraint>('FieldConstraint').implement({
  description: 'Constraints on a field. Every constraint that is present applies.',
  fields: (t) => ({
    format: t.exposeString('format', {
      description: 'Name of an HTML5 input type or another format, for example `iso3166-1-alpha-2` or `e.164`.',
    }),
    pattern: t.exposeString('pattern', {
      description: 'A JavaScript regular expression, valid with the flag `u` or `v`.',
    }),
    enum: t.stringList({
      nullable: { list: true, items: false },
      description: 'Allowed values.',
      resolve: (constraint) => constraint.enum,
    }),
    minLength: t.exposeInt('minLength', { description: 'Minimum number of characters.' }),
    maxLength: t.exposeInt('maxLength', { description: 'Maximum number of characters.' }),
    minimum: t.exposeFloat('minimum', { description: 'Minimum value.' }),
    maximum: t.exposeFloat('maximum', { description: 'Maximum value.' }),
  }),
})

const FieldErrorType = builder.objectRef<FieldError>('FieldError').implement({
  description: 'An invalid field.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: false,
      description: 'Path of the field in dot notation, for example `input.amount`.',
    }),
    message: t.exposeString('message', {
      nullable: false,
      description: 'Message for developers. It is not localized and may change.',
    }),
    constraint: t.field({
      type: FieldConstraintType,
      description: 'The constraint that the field violates.',
      resolve: ({ constraint }) => constraint,
    }),
  }),
})

const ErrorDetailsType = builder.objectRef<ErrorDetails>('ErrorDetails').implement({
  description: 'Details of an error.',
  fields: (t) => ({
    field: t.string({
      description: 'Path of the first invalid field in dot notation, for example `input.credential.passkey.nickname`.',
      resolve: ({ field }) => field,
    }),
    constraint: t.field({
      type: FieldConstraintType,
      description: 'The constraint that the field violates.',
      resolve: ({ constraint }) => constraint,
    }),
    errors: t.field({
      type: [FieldErrorType],
      nullable: { list: false, items: false },
      description: `One entry per invalid field, at most ${MAX_FIELD_ERRORS}.`,
      resolve: ({ errors }) => errors ?? [],
    }),
    reason: t.string({
      description: 'Sub-case of the code, for example `REQUEST_ID_CONSUMED`.',
      resolve: ({ reason }) => reason,
    }),
    other: t.field({
      type: 'JSON',
      description: 'All other details.',
      resolve: ({ field: _field, constraint: _constraint, errors: _errors, reason: _reason, ...other }) =>
        Object.keys(other).length === 0 ? null : other,
    }),
  }),
})

const ApiErrorInterface = builder.interfaceRef<Failure>('ApiError').implement({
  description: 'An expected error. Every error member of a payload union implements this interface.',
  fields: (t) => ({
    status: t.int({
      nullable: false,
      description: 'HTTP status of the same error in REST.',
      resolve: ({ error }) => error.status,
    }),
    code: t.field({
      type: ErrorCodeEnum,
      nullable: false,
      description: 'Machine-readable error code.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      nullable: false,
      description: 'Message for developers. It is not localized and may change.',
      resolve: ({ error }) => error.message,
    }),
    details: t.field({
      type: ErrorDetailsType,
      description: 'Details of the error, if there are any.',
      resolve: ({ error }) => error.details,
    }),
    traceId: t.exposeString('traceId', {
      nullable: false,
      description: 'Id of the request. Quote it to support. It is also in the `x-request-id` response header.',
    }),
  }),
})

const failureType = (name: string, description: string) =>
  builder.objectRef<Failure>(name).implement({ description, interfaces: [ApiErrorInterface] })

const RateLimitErrorType = builder.objectRef<Failure>('RateLimitError').implement({
  description: '429. Too many requests.',
  interfaces: [ApiErrorInterface],
  fields: (t) => ({
    retryAfterSeconds: t.int({
      nullable: false,
      description: 'Seconds to wait before the next attempt. Also in the `Retry-After` response header.',
      resolve: ({ error }) => Number(error.details?.['retryAfterSeconds'] ?? 1),
    }),
  }),
})

const AccountLockedErrorType = builder.objectRef<Failure>('AccountLockedError').implement({
  description: '423. The customer is locked after too many failures.',
  interfaces: [ApiErrorInterface],
  fields: (t) => ({
    suspended: t.boolean({
      nullable: false,
      description: 'Whether the customer is locked until a password reset.',
      resolve: ({ error }) => error.details?.['suspended'] === true,
    }),
    lockedUntil: t.field({
      type: 'DateTime',
      description: 'When the lock ends. Null if the customer is suspended.',
      resolve: ({ error }) => (error.details?.['lockedUntil'] as string | null | undefined) ?? null,
    }),
    failedAttempts: t.int({
      nullable: false,
      description: 'Failures in a row.',
      resolve: ({ error }) => Number(error.details?.['failedAttempts'] ?? 0),
    }),
  }),
})

/** The error type for each status. Errors with other statuses go to `errors`. */
export const FAILURE_TYPES = {
  400: failureType(
    'BadRequestError',
    '400. The input is invalid, or the operation is not possible in the current state.',
  ),
  401: failureType(
    'UnauthorizedError',
    '401. The proof for a wallet operation is missing or wrong. Wrong API credentials fail the whole request with HTTP 401 instead.',
  ),
  403: failureType('ForbiddenError', '403. The caller is not allowed to do this.'),
  404: failureType(
    'NotFoundError',
    '404. An object that the input refers to does not exist or is not visible to the caller.',
  ),
  409: failureType('ConflictError', '409. The current state does not allow the operation.'),
  410: failureType('GoneError', '410. The customer is deleted.'),
  412: failureType('PreconditionFailedError', '412. The counterparty speaks another version of the protocol.'),
  423: AccountLockedErrorType,
  424: failureType('FailedDependencyError', '424. The counterparty gave no usable answer.'),
  429: RateLimitErrorType,
} as const

export type FailureStatus = keyof typeof FAILURE_TYPES
