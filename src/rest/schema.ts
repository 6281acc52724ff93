// What the answers of REST are made of, as schemas of the contract. The running gateway needs their types alone.
import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '#core/errors.ts'

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** Of the forms that a union has. */
export const discriminator = <const T extends string>(form: T) =>
  z.literal(form).describe('Which of the forms this is.')

/** The bodies that a schema describes: functions that return one cannot leave the contract. */
export type BodyOf<S extends z.ZodType> = Frozen<z.input<S>>

/** An instant that we write: UTC with milliseconds. */
export const time = (meaning: string) => z.iso.datetime().describe(meaning)

export const currencySchema = z
  .object({
    code: z.string().describe('ISO 4217, or the ticker of a token.'),
    name: z.string().describe('In English.'),
    symbol: z.string().describe('For display, for example `$`.'),
    decimals: z.int().min(0).describe('Digits after the decimal point: 2 for USD, whose smallest unit is a cent.'),
  })
  .meta({ id: 'Currency', description: 'A currency or token.' })

export const currencyAmountSchema = z
  .object({ amount: z.int().describe('In the smallest unit of the currency.'), currency: currencySchema })
  .meta({ id: 'CurrencyAmount', description: 'An amount of money.' })

export const currencyCode = z.string().describe('Code of the currency.')

/** A page of a list. */
export const pageOf = <T extends z.ZodType>(id: string, item: T) =>
  z
    .object({
      data: z.array(item).describe('The items of this page.'),
      hasMore: z.boolean().describe('Whether there are further items behind this page.'),
      nextCursor: z.string().optional().describe('What to send as `cursor` for the next page; absent on the last one.'),
      totalCount: z.int().min(0).describe('All items that match the filters, whatever the page.'),
    })
    .meta({ id, description: 'A page of a list.' })

/** A list that is never paginated. */
export const listOf = <T extends z.ZodType>(id: string, item: T) =>
  z.object({ data: z.array(item).describe('All of them.') }).meta({ id, description: 'A whole list, newest first.' })

const fieldConstraintSchema = z
  .object({
    format: z.string().describe('Name of a format, for example `date-time`.'),
    pattern: z.string().describe('A regular expression of JavaScript.'),
    enum: z.array(z.string()).describe('The values that there are.'),
    minLength: z.int().min(0).describe('In characters.'),
    maxLength: z.int().min(0).describe('In characters.'),
    minimum: z.number().describe('The least value.'),
    maximum: z.number().describe('The greatest value.'),
  })
  .partial()
  .meta({ id: 'FieldConstraint', description: 'What the field must satisfy. All parts are optional and add up.' })

const fieldErrorSchema = z
  .object({
    field: z.string().describe('The path of the field, with dots.'),
    message: z.string().describe('For people.'),
    constraint: fieldConstraintSchema.optional(),
  })
  .meta({ id: 'FieldError', description: 'An invalid field.' })

const errorDetailsSchema = z
  .looseObject({
    field: z.string().describe('The path of the first invalid field, with dots.'),
    constraint: fieldConstraintSchema,
    errors: z.array(fieldErrorSchema).describe('One entry for each invalid field, at most 100.'),
    reason: z.string().describe('A sub-case of the code.'),
    retryAfterSeconds: z.int().min(1).describe('With 429: as the header `Retry-After`.'),
  })
  .partial()
  .meta({ id: 'ErrorDetails', description: 'More about the failure. Other members may come with it.' })

export const errorSchema = z
  .object({
    status: z.int().min(400).max(599).describe('Equal to the status of the answer.'),
    code: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]).describe('For programs: what went wrong.'),
    message: z.string().describe('For people.'),
    details: errorDetailsSchema.optional(),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is no success.' })
