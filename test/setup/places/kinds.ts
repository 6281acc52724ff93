// The kinds of object that the required ids of mutations name.
import type { CrawledName } from './crawled-platforms.ts'

/** The kind of a required id, by its mutation and the path in its input. */
const KINDS: readonly [place: RegExp, kind: CrawledName][] = [
  [/agentId$|Agent(Policy)? .*id$/, 'Agent'],
  [/actionId$/, 'AgentAction'],
  [/eventId$/, 'Webhook'],
  [/cardTransactionId$/, 'CardTransaction'],
  [/cardId$|Card input\.id$/, 'Card'],
  [/fundingSources/, 'InternalAccount'],
  [/transactionId$|^transaction /, 'Transaction'],
  [/ApiToken /, 'Token'],
  [/Session /, 'Session'],
  [/Credential input\.id$/, 'AuthMethod'],
  [/StablecoinQuote input\.id$/, 'StablecoinQuote'],
  [/(Mint|Burn)Quote input\.id$/, 'Stablecoin'],
  [/stablecoinProviderAccountId$/, 'StablecoinProviderAccount'],
  [/internalAccountId$/, 'InternalAccount'],
  [/externalAccountId$/, 'ExternalAccount'],
  [/Quote input\.id$|quoteId$/, 'Quote'],
  [/[tT]ransferIn .*sourceAccountId$/, 'ExternalAccount'],
  [/[tT]ransferIn .*destinationAccountId$/, 'InternalAccount'],
  [/sourceAccountId$/, 'InternalAccount'],
  [/destinationAccountId$/, 'ExternalAccount'],
  [/BeneficialOwner input\.id$/, 'BeneficialOwner'],
  [/Document input\.id$/, 'Document'],
  [/uploadId$/, 'Upload'],
  [/Wallet|accountId$/, 'Wallet'],
]

/** Undefined for an id of another name, which is most often a customer's. */
export const kindAt = (field: string, path: readonly string[]): CrawledName | undefined =>
  KINDS.find(([place]) => place.test(`${field} ${path.join('.')}`))?.[1]
