// Schemas that REST responses share. At run time only their types matter.
import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode, MAX_FIELD_ERRORS } from '#core/errors.ts'

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** The field that distinguishes the members of a union. */
export const discriminator = <const T extends string>(form: T) =>
  z.literal(form).describe('The variant of this object.')

/** The type of a response body. Functions that return it must follow the contract. */
export type BodyOf<S extends z.ZodType> = Frozen<z.input<S>>

/** A time in a response: UTC with milliseconds. */
export const timeSchema = (meaning: string) => z.iso.datetime().describe(meaning)

export const currencySchema = z
  .object({
    code: z.string().describe('ISO 4217 code or ticker, for example `USD` or `USDC`.'),
    name: z.string().describe('English name.'),
    symbol: z.string().describe('Symbol for display, for example `$`.'),
    decimals: z.int().min(0).describe('Digits after the decimal point: 2 for USD, whose smallest unit is the cent.'),
  })
  .meta({ id: 'Currency', description: 'A currency or token.' })

export const currencyAmountSchema = z
  .object({ amount: z.int().describe('Integer in the smallest unit of the currency.'), currency: currencySchema })
  .meta({ id: 'CurrencyAmount', description: 'An amount of money.' })

export const currencyCodeSchema = z.string().describe('Currency code.')

export const pageSchema = <T extends z.ZodType>(id: string, item: T) =>
  z
    .object({
      data: z.array(item).describe('The items of this page.'),
      hasMore: z.boolean().describe('Whether more items follow this page.'),
      nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last page.'),
      totalCount: z
        .int()
        .min(0)
        .optional()
        .describe('Number of items on all pages that match the filters. Absent if counting them would take too long.'),
    })
    .meta({ id, description: 'A page of a list.' })

/** A list that is never paginated. */
export const listSchema = <T extends z.ZodType>(id: string, item: T) =>
  z.object({ data: z.array(item).describe('All items.') }).meta({ id, description: 'A complete list, newest first.' })

const fieldConstraintSchema = z
  .object({
    format: z
      .string()
      .describe('Name of an HTML5 input type or another format, for example `iso3166-1-alpha-2` or `e.164`.'),
    pattern: z.string().describe('A JavaScript regular expression.'),
    enum: z.array(z.string()).describe('The allowed values.'),
    minLength: z.int().min(0).describe('Minimum number of characters.'),
    maxLength: z.int().min(0).describe('Maximum number of characters.'),
    minimum: z.number().describe('Minimum value.'),
    maximum: z.number().describe('Maximum value.'),
  })
  .partial()
  .meta({ id: 'FieldConstraint', description: 'Constraints on a field. Every constraint that is present applies.' })

const fieldErrorSchema = z
  .object({
    field: z.string().describe('Path of the field, in dot notation.'),
    message: z.string().describe('Human-readable message. It may change.'),
    constraint: fieldConstraintSchema.optional(),
  })
  .meta({ id: 'FieldError', description: 'An invalid field.' })

export const errorDetailsSchema = z
  .looseObject({
    field: z.string().describe('Path of the first invalid field, in dot notation.'),
    constraint: fieldConstraintSchema,
    errors: z.array(fieldErrorSchema).describe(`One entry per invalid field, at most ${MAX_FIELD_ERRORS}.`),
    reason: z.string().describe('A sub-case of the code.'),
    retryAfterSeconds: z
      .int()
      .min(1)
      .describe(
        'With 429, 503, and 409 for a call that is still running: seconds to wait, as in the header `Retry-After`.',
      ),
  })
  .partial()
  .meta({ id: 'ErrorDetails', description: 'Details of the error. Other members may be present.' })

export const errorSchema = z
  .object({
    status: z.int().min(400).max(599).describe('The HTTP status of the response.'),
    code: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]).describe('Machine-readable error code.'),
    message: z.string().describe('Human-readable message. It may change.'),
    details: errorDetailsSchema.optional(),
  })
  .meta({ id: 'Error', description: 'Body of every error response.' })
