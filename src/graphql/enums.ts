import { builder } from './builder.ts'

type Enum = ReturnType<typeof builder.enumType>

const enums = new Map<string, Enum>()

/** The enum of exactly these labels, for an input that is made from a schema with them. */
export const enumWithLabels = (labels: readonly string[]): Enum => {
  const found = enums.get(labels.join())
  if (!found) throw new Error(`There is no enum of ${labels.join(', ')}`)
  return found
}

/** An enum of exactly these labels, in this order, each with its description. */
export const enumOf = <const T extends string>(
  name: string,
  description: string,
  labels: readonly T[],
  descriptions: Readonly<Record<T, string>>,
) => {
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(labels.map((label) => [label, { description: descriptions[label] }])) as Record<
      T,
      { description: string }
    >,
  })
  enums.set(labels.join(), ref as unknown as Enum)
  return ref
}
