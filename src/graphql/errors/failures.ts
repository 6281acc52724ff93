// Expected failures as members of payload unions: one type for each status, and the interface that they share.
import type { ApiError, ErrorDetails, FieldConstraint, FieldError } from '#core/errors.ts'
import { builder } from '#graphql/builder.ts'
import { ErrorCodeEnum } from './error-codes.ts'

/** What a member of a payload union is made from. `__typename` says which member. */
export interface Failure {
  readonly __typename: string
  readonly error: ApiError
  readonly traceId: string
}

export const FieldConstraintType = builder.objectRef<FieldConstraint>('FieldConstraint').implement({
  description: 'Constraint of a form field. All parts are optional and add up.',
  fields: (t) => ({
    format: t.exposeString('format', {
      description: 'HTML5 input type name or a slug, for example `iso3166-1-alpha-2` or `e.164`.',
    }),
    pattern: t.exposeString('pattern', {
      description: 'JavaScript-flavor regular expression, with the flag `u` or `v`.',
    }),
    enum: t.stringList({
      nullable: { list: true, items: false },
      description: 'Allowed values.',
      resolve: (constraint) => constraint.enum,
    }),
    minLength: t.exposeInt('minLength', { description: 'Least number of characters.' }),
    maxLength: t.exposeInt('maxLength', { description: 'Greatest number of characters.' }),
    minimum: t.exposeFloat('minimum', { description: 'Least number.' }),
    maximum: t.exposeFloat('maximum', { description: 'Greatest number.' }),
  }),
})

const FieldErrorType = builder.objectRef<FieldError>('FieldError').implement({
  description: 'An invalid field.',
  fields: (t) => ({
    field: t.exposeString('field', { nullable: false, description: 'Dot-notation path, for example `input.amount`.' }),
    message: t.exposeString('message', { nullable: false, description: 'For developers. Not localized, may change.' }),
    constraint: t.field({
      type: FieldConstraintType,
      description: 'What the field must satisfy.',
      resolve: ({ constraint }) => constraint,
    }),
  }),
})

const ErrorDetailsType = builder.objectRef<ErrorDetails>('ErrorDetails').implement({
  description: 'What exactly was wrong.',
  fields: (t) => ({
    field: t.string({
      description: 'Dot-notation path of the first invalid field, for example `input.credential.passkey.nickname`.',
      resolve: ({ field }) => field,
    }),
    constraint: t.field({
      type: FieldConstraintType,
      description: 'What the field must satisfy.',
      resolve: ({ constraint }) => constraint,
    }),
    errors: t.field({
      type: [FieldErrorType],
      nullable: { list: false, items: false },
      description: 'One entry for each invalid field, at most 100.',
      resolve: ({ errors }) => errors ?? [],
    }),
    reason: t.string({
      description: 'Sub-case of the code, for example `REQUEST_ID_CONSUMED`.',
      resolve: ({ reason }) => reason,
    }),
    other: t.field({
      type: 'JSON',
      description: 'Any other keys.',
      resolve: ({ field: _field, constraint: _constraint, errors: _errors, reason: _reason, ...other }) =>
        Object.keys(other).length === 0 ? null : other,
    }),
  }),
})

const ApiErrorInterface = builder.interfaceRef<Failure>('ApiError').implement({
  description: 'An expected error. Every member of a payload union that is not a success implements it.',
  fields: (t) => ({
    status: t.int({
      nullable: false,
      description: 'HTTP status that the REST interface answers with.',
      resolve: ({ error }) => error.status,
    }),
    code: t.field({
      type: ErrorCodeEnum,
      nullable: false,
      description: 'Machine-readable.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      nullable: false,
      description: 'For developers. Not localized, may change.',
      resolve: ({ error }) => error.message,
    }),
    details: t.field({
      type: ErrorDetailsType,
      description: 'What exactly was wrong, where it can be told.',
      resolve: ({ error }) => error.details,
    }),
    traceId: t.exposeString('traceId', {
      nullable: false,
      description: 'Id to quote to support. Also in the `x-request-id` response header.',
    }),
  }),
})

const failureType = (name: string, description: string) =>
  builder.objectRef<Failure>(name).implement({ description, interfaces: [ApiErrorInterface] })

const RateLimitErrorType = builder.objectRef<Failure>('RateLimitError').implement({
  description: '429. Too often.',
  interfaces: [ApiErrorInterface],
  fields: (t) => ({
    retryAfterSeconds: t.int({
      nullable: false,
      description: 'Seconds to wait. Also in the `Retry-After` response header.',
      resolve: ({ error }) => Number(error.details?.['retryAfterSeconds'] ?? 1),
    }),
  }),
})

/** The member for each status. Other statuses are no part of any payload. */
export const FAILURE_TYPES = {
  400: failureType('BadRequestError', '400. Something in the input, or the state that it meets.'),
  401: failureType(
    'UnauthorizedError',
    '401 on a wallet operation. Bad API credentials fail the whole request with HTTP 401 instead.',
  ),
  403: failureType('ForbiddenError', '403. Not allowed.'),
  404: failureType('NotFoundError', '404. What the input names does not exist, or is not visible.'),
  409: failureType('ConflictError', '409. Does not apply to the present state.'),
  429: RateLimitErrorType,
} as const

export type FailureStatus = keyof typeof FAILURE_TYPES
