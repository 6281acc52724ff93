// The zod schema of one field of the table.
import { z } from 'zod'
import type { Environment } from '#core/caller.ts'
import { foreignLabelOf, someOf, textOf } from '#core/input.ts'
import { CHECK_RULES, formatOf } from './check.ts'
import type { Field } from './rule.ts'

export type FieldSchema = z.ZodType<string | null | undefined, string | null | undefined>

/** People write an IBAN in groups of four characters. */
const withoutSpaces = (pattern: string | undefined) =>
  z.string({ error: 'must be a string' }).refine((value) => !value.includes(' '), {
    error: 'must not contain spaces',
    params: { constraint: { pattern } },
  })

const textSchema = ({ minLength, maxLength, pattern, check }: Field, environment: Environment) => {
  const bounded = textOf(maxLength, minLength, check === 'IBAN' ? withoutSpaces(pattern) : undefined)
  const text = pattern === undefined ? bounded : bounded.regex(new RegExp(pattern, 'u'), 'has the wrong format')
  if (check === undefined || check === 'PIX_KEY') return text
  const { message, passes } = CHECK_RULES[check]
  return text.refine((value) => passes(value, environment), {
    error: message,
    params: { constraint: { format: formatOf(check) } },
    // A value that does not match the pattern gets its own error, and the check expects values that match.
    when: ({ issues }) => issues.length === 0,
  })
}

const labelSchema = ({ enum: labels, enumOf }: Field) => {
  if (labels === undefined) return undefined
  return enumOf ? someOf(labels, enumOf) : foreignLabelOf(labels)
}

/** The schema with its description. An optional field may also be null. */
export const describedField = (rule: Field, environment: Environment): FieldSchema => {
  const schema = labelSchema(rule) ?? textSchema(rule, environment)
  return (rule.required ? schema : schema.nullish()).describe(describe(rule)) as FieldSchema
}

/** Lists the values unless an enum of GraphQL has just these. */
const describe = ({ label, example, enum: labels, enumOf }: Field) => {
  if (labels === undefined) return `${label}, for example \`${example}\`.`
  return labels === enumOf ? `${label}.` : `${label}, one of ${labels.map((one) => `\`${one}\``).join(', ')}.`
}
