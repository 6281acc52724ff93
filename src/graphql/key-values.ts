// Represents string maps as lists of entries, because GraphQL has no maps.
import { builder } from './builder.ts'

interface Entry {
  readonly key: string
  readonly value: string
}

export const CounterpartyFactType = builder.objectRef<Entry>('CounterpartyFact').implement({
  description: 'One entry of a string map.',
  fields: (t) => ({
    key: t.exposeString('key', { nullable: false, description: 'Key of the entry, for example `FULL_NAME`.' }),
    value: t.exposeString('value', { nullable: false, description: 'Value of the entry.' }),
  }),
})

/** The entries of a map, in its order. `keys` selects some of them. Values that are not strings are written as JSON. */
export const entriesOf = (
  map: Readonly<Record<string, unknown>> | null,
  keys?: readonly string[] | null,
): Entry[] | null =>
  map &&
  Object.entries(map)
    .filter(([key]) => !keys || keys.includes(key))
    .map(([key, value]) => ({ key, value: typeof value === 'string' ? value : JSON.stringify(value) }))
