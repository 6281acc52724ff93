// GraphQL inputs are built from the zod schemas that check them.
import { printType } from 'graphql/utilities/printSchema.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { base64urlOf } from '#core/base64url.ts'
import { amountOf, foreignLabelOf, idOf, inHex, labelOf, textOf } from '#core/input.ts'
import { rangeStart } from '#core/time-filters.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import '#graphql/scalars.ts'
import { inputOf } from '#graphql/input-of.ts'

const COLOURS = ['RED', 'GREEN'] as const
enumOf('Colour', 'A colour.', COLOURS, { RED: 'Red.', GREEN: 'Green.' })

const size = z.object({ width: z.int32().describe('In points.') })
const thing = z.object({
  id: idOf('Customer'),
  ids: z.array(idOf('Customer').transform((id) => id)).describe('Several.'),
  name: textOf(10).nullish().describe('Its name.'),
  colour: labelOf(COLOURS).describe('Its colour.'),
  amount: amountOf(1n, 10n),
  isNew: z.boolean().optional().describe('Whether it is new.'),
  since: rangeStart.nullish().describe('Since when.'),
  size: size.nullish().describe('How large it is.'),
  key: inHex(textOf(66)).optional().describe('Its key.'),
  bytes: base64urlOf(10).describe('Its bytes.'),
  transports: z.array(foreignLabelOf(['usb', 'nfc'])).describe('How it connects.'),
})

describe('an input built from a schema', () => {
  it('has the fields of the schema with their types, descriptions and nullability', () => {
    inputOf('SizeInput', 'A size.', size)
    const type = inputOf('ThingInput', 'A thing.', thing, (t) => ({
      retry: t.string({ description: 'A field that only GraphQL has.' }),
    }))
    builder.queryField('thing', (t) => t.boolean({ args: { input: t.arg({ type }) }, resolve: () => true }))
    const printed = builder.toSchema().getType('ThingInput')
    expect(printed && printType(printed)).toBe(`"""A thing."""
input ThingInput {
  """Amount in the smallest unit of its currency."""
  amount: Int64!

  """Its bytes."""
  bytes: Base64URL!

  """Its colour."""
  colour: Colour!

  """\`Customer:<uuid>\`."""
  id: ID!

  """Several."""
  ids: [ID!]!

  """Whether it is new."""
  isNew: Boolean

  """Its key."""
  key: Hex

  """Its name."""
  name: String

  """A field that only GraphQL has."""
  retry: String

  """Since when."""
  since: DateTime

  """How large it is."""
  size: SizeInput

  """How it connects."""
  transports: [String!]!
}`)
  })

  it('needs a description for every field', () => {
    // The schema was built above, so the input is made at once.
    expect(() => inputOf('UndescribedInput', 'An input.', z.object({ name: z.string() }))).toThrow(
      'UndescribedInput.name has no description',
    )
  })
})
