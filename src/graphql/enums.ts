import { builder } from './builder.ts'

/** An enum of exactly these labels, in this order, each with its description. */
export const enumOf = <const T extends string>(
  name: string,
  description: string,
  labels: readonly T[],
  descriptions: Readonly<Record<T, string>>,
) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(labels.map((label) => [label, { description: descriptions[label] }])) as Record<
      T,
      { description: string }
    >,
  })
