// Magic values: what callers write in the sandbox to select what it simulates. The code obeys these tables, and the query `sandboxScenarios`
// and the documentation are made of them (docs/domain/sandbox.md#magic-values).

/** What is compared: the last three characters, the whole code, or the name part of a UMA address. */
export const MAGIC_MATCHES = ['SUFFIX', 'CODE', 'UMA_NAME'] as const
export type MagicMatch = (typeof MAGIC_MATCHES)[number]

export interface MagicEffect<T = unknown> {
  /** For people: what the sandbox does. */
  readonly effect: string
  /** For the code. */
  readonly outcome: T
}

/** The magic values for one field. */
export interface MagicTable<T = unknown> {
  /** Unique and stable, for example `EXTERNAL_ACCOUNT_OF_QUOTE`. */
  readonly name: string
  /** For people: the field that is read, and when. */
  readonly place: string
  readonly match: MagicMatch
  readonly values: Readonly<Record<string, MagicEffect<T>>>
  /** What every other value does. */
  readonly otherwise: MagicEffect<T>
}

/** The outcome of a value that is compared as a whole. */
export const outcomeOf = <T>({ values, otherwise }: MagicTable<T>, value: string): T =>
  (Object.hasOwn(values, value) ? (values[value] ?? otherwise) : otherwise).outcome

/** The outcome of a text whose last three characters decide. */
export const outcomeOfSuffix = <T>(table: MagicTable<T>, text: string): T => outcomeOf(table, text.slice(-3))
