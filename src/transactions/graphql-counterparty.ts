// The field `counterpartyInformation`, which payments and quotes have.
import { entriesOf } from '#graphql/key-values.ts'

/** The resolver of `counterpartyInformation`, with its argument `keys`. */
export const entriesOfCounterparty = (
  { counterpartyInformation }: { readonly counterpartyInformation: Readonly<Record<string, string>> | null },
  { keys }: { readonly keys?: readonly string[] | null | undefined },
) => entriesOf(counterpartyInformation, keys)

/** The description of the argument `keys`. */
export const KEYS_DESCRIPTION = 'Return only these keys.'
