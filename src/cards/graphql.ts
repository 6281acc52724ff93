import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { registerRecord } from '#graphql/node-types.ts'
import {
  CARD_BRANDS,
  CARD_FORMS,
  CARD_STATE_REASONS,
  CARD_STATES,
  CARD_TEXTS,
  type Card,
  CardRecord,
  fundingSourcesOf,
} from './card.ts'
import { MAX_FUNDING_SOURCES } from './funding-sources.ts'
import { CardFilterInput, cardList } from './list.ts'

const { texts } = CardRecord

const CardStateEnum = enumOf('CardState', 'State of a card.', CARD_STATES, {
  PENDING_KYC: 'Waits for the verification of the cardholder. Reserved.',
  PROCESSING: 'Ordered from the issuer.',
  ACTIVE: 'Can be used.',
  FROZEN: 'Frozen by the platform. It can be made active again.',
  CLOSED: 'Closed for good.',
})

const CardStateReasonEnum = enumOf('CardStateReason', 'Why a card is in its state.', CARD_STATE_REASONS, {
  ISSUER_REJECTED: 'The issuer refused to issue it.',
  CLOSED_BY_PLATFORM: 'The platform closed it.',
  CLOSED_BY_SERVICE: 'The service closed it.',
})

const CardBrandEnum = enumOf('CardBrand', 'Card network.', CARD_BRANDS, { VISA: 'Visa.', MASTERCARD: 'Mastercard.' })

const CardFormEnum = enumOf('CardForm', 'Form of a card.', CARD_FORMS, { VIRTUAL: 'A card without a physical form.' })

export const CardNode = builder.objectRef<Card>('Card').implement({
  description: 'A debit card issued against an internal account.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Card', 'id') }),
    platformCardId: t.exposeString('platformCardId', { description: texts.platformCardId }),
    state: t.expose('state', { type: CardStateEnum, nullable: false, description: texts.state }),
    stateReason: t.expose('stateReason', { type: CardStateReasonEnum, description: texts.stateReason }),
    brand: t.expose('brand', { type: CardBrandEnum, description: texts.brand }),
    form: t.expose('form', { type: CardFormEnum, nullable: false, description: texts.form }),
    last4: t.exposeString('last4', { description: texts.last4 }),
    expMonth: t.exposeInt('expMonth', { description: texts.expMonth }),
    expYear: t.exposeInt('expYear', { description: texts.expYear }),
    customerId: t.id({ nullable: false, description: texts.customerId, ...idOf('Customer', 'customerId') }),
    customer: t.field({
      type: CustomerNode,
      description: 'Cardholder.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    accountId: t.id({ nullable: false, description: texts.accountId, ...idOf('InternalAccount', 'accountId') }),
    account: t.field({
      type: InternalAccountNode,
      description: 'Account that the card pulls from: the first funding source.',
      ...rowOf(InternalAccountRecord, 'accountId'),
    }),
    fundingSources: t.field({
      type: [InternalAccountNode],
      nullable: { list: true, items: false },
      description: CARD_TEXTS.fundingSources,
      extensions: costing({ rows: 1, items: () => MAX_FUNDING_SOURCES }),
      resolve: async (card, _args, context) => {
        const found = await Promise.all(
          fundingSourcesOf(card).map((id) => load(context, InternalAccountRecord.byIds, id)),
        )
        return found.filter((account) => account !== null)
      },
    }),
    processorRef: t.exposeString('processorRef', { description: texts.processorRef }),
    issuerRef: t.exposeString('issuerRef', { description: texts.issuerRef }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(CardRecord, 'Card')

const cards = listType('Card', CardNode, 'cards', cardList, CardFilterInput.omit({ state: true }))

builder.queryField('cards', (t) => listField(t, cards, 'Cards of all customers.'))
builder.objectField(CustomerNode, 'cards', (t) =>
  linkedListField(t, cards, 'Customer', 'Cards that the customer holds.'),
)
builder.objectField(InternalAccountNode, 'cards', (t) =>
  linkedListField(t, cards, 'InternalAccount', 'Cards whose first funding source is the account.'),
)
