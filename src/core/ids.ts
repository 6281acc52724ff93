// The public id on both faces, which is also the Relay global id, is `<Kind>:<uuid>`. The database stores bare uuids. Only this file converts.
import { v7 as uuidv7 } from 'uuid'

export const KINDS = [
  'Transaction',
  'CardTransaction',
  'Card',
  'CardFundingSource',
  'Customer',
  'InternalAccount',
  'ExternalAccount',
  'Quote',
  'Agent',
  'AgentAction',
  'AuthMethod',
  'Session',
  'Request',
  'ScaChallenge',
  'DelegatedKey',
  'Token',
  'Webhook',
  'WebhookDelivery',
  'WebhookEndpoint',
  'PlatformConfig',
  'BeneficialOwner',
  'Document',
  'Upload',
  'Verification',
  'StablecoinProviderAccount',
  'LookupRequest',
  'Lookup',
  'UmaProvider',
  'BulkJob',
  'TwoFactorReset',
  'ScaFactor',
  'Stablecoin',
  'StablecoinQuote',
  'StablecoinOperation',
  'Invitation',
] as const

export type Kind = (typeof KINDS)[number]
export type PublicId<K extends Kind = Kind> = `${K}:${string}`

/** The tenant's id. It is branded so that no other uuid can be passed in its place. */
export type PlatformId = string & { readonly brand: 'PlatformId' }

export const publicId = <K extends Kind>(kind: K, uuid: string): PublicId<K> => `${kind}:${uuid}`

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** An anchored regular expression for ids of these kinds. Uuids must be lower case, because ids are compared as text. */
export const idPattern = (...kinds: readonly Kind[]) => new RegExp(`^(${kinds.join('|')}):(${UUID})$`)

const BARE_UUID = new RegExp(`^${UUID}$`)
export const isUuid = (text: string): boolean => BARE_UUID.test(text)

const ANY_ID = idPattern(...KINDS)

/** The parts of an id, or undefined if it is malformed or its kind is unknown. */
export const parseId = (id: string): { kind: Kind; uuid: string } | undefined => {
  const match = ANY_ID.exec(id)
  return match ? { kind: match[1] as Kind, uuid: match[2] as string } : undefined
}

/** The uuid in an id of this kind, or undefined if it is malformed or of another kind. */
export const uuidOf = (kind: Kind, id: string): string | undefined => {
  const parts = parseId(id)
  return parts?.kind === kind ? parts.uuid : undefined
}

/** The uuid in an id of this kind. Throws `unknown()` if it is malformed or of another kind: a caller learns no more than that it is unknown. */
export const requireUuid = (kind: Kind, id: string, unknown: () => Error): string => {
  const uuid = uuidOf(kind, id)
  if (uuid === undefined) throw unknown()
  return uuid
}

/** The parts of an id whose form has been checked, by `idOf` for example. */
export const partsOfId = (id: string): { kind: Kind; uuid: string } => {
  const parts = parseId(id)
  if (!parts) throw new Error('An id was not checked before it was used')
  return parts
}

/** The uuid of a new row. Version 7 keeps rows that are created together close in the index (RFC 9562 §5.7). */
export const newUuid = (): string => uuidv7()

/** The uuid with these 32 hexadecimal digits. */
export const uuidOfHex = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
