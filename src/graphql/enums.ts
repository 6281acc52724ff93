import { builder } from './builder.ts'

type Enum = ReturnType<typeof builder.enumType>

/** Keyed by their list of labels. Two enums may have the same labels, but not the same list. */
const enums = new Map<readonly string[], Enum>()

/** The enum that was defined with this list of labels, for an input that is built from a schema. */
export const enumWithLabels = (labels: readonly string[]): Enum => {
  const found = enums.get(labels)
  if (!found) throw new Error(`No enum is defined for ${labels.join(', ')}`)
  return found
}

/** Defines an enum with these labels in this order, and a description for each. GraphQL writes `_` for the dots of a label. */
export const enumOf = <const T extends string>(
  name: string,
  description: string,
  labels: readonly T[],
  descriptions: Readonly<Record<T, string>>,
) => {
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(
      labels.map((label) => [label.replaceAll('.', '_'), { value: label, description: descriptions[label] }]),
    ) as Record<string, { value: T; description: string }>,
  })
  enums.set(labels, ref as unknown as Enum)
  return ref
}
