import { ApiError } from '#core/errors.ts'
import { integer, listOf, nullable, ofItsCustomer, oneOf, type RecordOf, record, text, time } from '#database/record.ts'

export const CARD_STATES = ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'] as const
export const CARD_STATE_REASONS = ['ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SERVICE'] as const
export const CARD_BRANDS = ['VISA', 'MASTERCARD'] as const
export const CARD_FORMS = ['VIRTUAL'] as const

/** `customerId` is the cardholder, `accountId` the internal account it draws on. */
export const CardRecord = record(
  'cards',
  {
    id: text.describe('`Card:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the cardholder.'),
    accountId: text.describe(
      '`InternalAccount:<uuid>` of the account that the card pulls from: the first funding source.',
    ),
    /** Null in snapshots of events from when a card had only one source. */
    fundingSources: nullable(listOf<string>([])),
    platformCardId: nullable(text).describe("The card's id in the platform's own system."),
    state: oneOf(CARD_STATES).describe('State of the card. Only an `ACTIVE` card can be used.'),
    stateReason: nullable(oneOf(CARD_STATE_REASONS)).describe('Why the card is closed. Null unless it is `CLOSED`.'),
    brand: nullable(oneOf(CARD_BRANDS)).describe('Card network. Only after the card is issued.'),
    form: oneOf(CARD_FORMS).describe('Whether the card is physical or virtual.'),
    last4: nullable(text).describe('Last four digits. Only after the card is issued.'),
    expMonth: nullable(integer).describe('Month of expiry, 1 to 12. Only after the card is issued.'),
    expYear: nullable(integer).describe('Year of expiry, four digits. Only after the card is issued.'),
    processorRef: nullable(text).describe("The processor's own id for the card."),
    issuerRef: nullable(text).describe("The issuer's own id for the card."),
    createdAt: time.describe('When the card was ordered.'),
    updatedAt: time.describe('When the card last changed.'),
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type Card = RecordOf<typeof CardRecord>

export const unknownCard = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such card')

/** The fields of a card as clients name them. */
export const CARD_FIELDS: readonly string[] = Object.keys(CardRecord.shape)
  .filter((name) => !['customerId', 'accountId'].includes(name))
  .concat('cardholderId', 'currency')

/** Fields of a card that are not its columns. */
export const CARD_TEXTS = {
  fundingSources: 'The internal accounts that fund the card, the preferred one first. Only the first one is pulled.',
  currency: 'Currency code of the first funding source.',
} as const

/** The uuids of the accounts that fund the card, the preferred one first. */
export const fundingSourcesOf = ({ fundingSources, accountId }: Card): readonly string[] =>
  fundingSources ?? [accountId]
