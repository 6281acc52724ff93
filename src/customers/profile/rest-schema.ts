// Parts of a profile as responses of REST show them.
import { z } from 'zod'
import { postalAddress } from './profile.ts'

type Shown<S extends z.ZodRawShape> = {
  [K in keyof S]: S[K] extends z.ZodOptional<z.ZodNullable<infer I extends z.ZodType>>
    ? z.ZodOptional<I>
    : S[K] extends z.ZodNullable<infer I extends z.ZodType>
      ? z.ZodOptional<I>
      : S[K]
}

/** The fields of an input as a response shows them: absent instead of null. */
export const shown = <S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const bare = field instanceof z.ZodOptional ? field.unwrap() : field
      if (!(bare instanceof z.ZodNullable)) return [name, field]
      return [name, (bare.unwrap() as z.ZodType).optional().describe(String((field as z.ZodType).description))]
    }),
  ) as Shown<S>

export const addressSchema = z
  .object(shown(postalAddress))
  .meta({ id: 'PostalAddress', description: 'A postal address.' })
