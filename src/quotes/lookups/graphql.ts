// The mutations that look up receivers. They are mutations, because each asks another institution and stores its answer.
import { builder } from '#graphql/builder.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import { addMutation, payloadWith, withoutNulls } from '#graphql/mutation.ts'
import { CounterpartyFieldType } from '#platforms/settings/graphql.ts'
import {
  LOOKUP_TEXTS,
  type LookedUpCurrency,
  type Lookup,
  lookUpExternalAccount,
  lookUpUmaAddress,
  lookupSender,
} from './look-up.ts'

const LookedUpCurrencyType = builder.objectRef<LookedUpCurrency>('LookedUpCurrency').implement({
  description: 'A currency that a receiver accepts.',
  fields: (t) => ({
    currency: t.expose('currency', { type: CurrencyType, nullable: false, description: LOOKUP_TEXTS.currency }),
    estimatedExchangeRate: t.exposeFloat('estimatedExchangeRate', {
      nullable: false,
      description: LOOKUP_TEXTS.estimatedExchangeRate,
    }),
    min: t.expose('min', { type: 'Int64', nullable: false, description: LOOKUP_TEXTS.min }),
    minMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`min` with its currency.',
      resolve: ({ min: amount, currency }) => ({ amount, currency }),
    }),
    max: t.expose('max', { type: 'Int64', nullable: false, description: LOOKUP_TEXTS.max }),
    maxMoney: t.field({
      type: MoneyType,
      nullable: false,
      description: '`max` with its currency.',
      resolve: ({ max: amount, currency }) => ({ amount, currency }),
    }),
  }),
})

const ReceiverLookupType = builder.objectRef<Lookup>('ReceiverLookup').implement({
  description: 'A receiver, and what a payment to it needs.',
  fields: (t) => ({
    lookupId: t.exposeID('lookupId', { nullable: false, description: LOOKUP_TEXTS.lookupId }),
    supportedCurrencies: t.expose('supportedCurrencies', {
      type: [LookedUpCurrencyType],
      nullable: { list: false, items: false },
      description: LOOKUP_TEXTS.supportedCurrencies,
    }),
    requiredPayerDataFields: t.expose('requiredPayerDataFields', {
      type: [CounterpartyFieldType],
      nullable: { list: false, items: false },
      description: LOOKUP_TEXTS.requiredPayerDataFields,
    }),
    receiverUmaAddress: t.exposeString('receiverUmaAddress', {
      description: `${LOOKUP_TEXTS.receiverUmaAddress} Null for an account.`,
    }),
    accountId: t.exposeID('accountId', { description: `${LOOKUP_TEXTS.accountId} Null for a UMA address.` }),
  }),
})

const LookUpPayload = payloadWith<{ readonly lookup: Lookup }>(
  'LookUp',
  'Result of `lookUpUmaAddress` and `lookUpExternalAccount`.',
  {
    success: {
      description: 'The receiver can be paid. REST: 200.',
      fields: (t) => ({
        lookup: t.expose('lookup', { type: ReceiverLookupType, nullable: false, description: 'The receiver.' }),
      }),
    },
    statuses: [400, 403, 404, 412, 424],
  },
)

addMutation('lookUpUmaAddress', {
  description:
    'Asks the institution of a UMA address who the receiver is. A quote that pays the address must name the look-up. Errors: `INVALID_UMA_ADDRESS`, `UMA_NOT_FOUND`, `COUNTERPARTY_NOT_ALLOWED`, and those of the institution.',
  input: schemaInput(lookupSender, (t) => ({
    receiverUmaAddress: t.string({ required: true, description: 'For example `$alice@bank.example`.' }),
  })),
  payload: LookUpPayload,
  resolve: async ({ receiverUmaAddress, ...sender }, { caller }) => ({
    lookup: await lookUpUmaAddress(caller, receiverUmaAddress, withoutNulls(sender)),
  }),
})

addMutation('lookUpExternalAccount', {
  description: 'Looks up what a payment to an external account needs. Errors: `REFERENCE_NOT_FOUND`, `USER_NOT_READY`.',
  input: schemaInput(lookupSender, (t) => ({
    accountId: t.id({ required: true, description: LOOKUP_TEXTS.accountId }),
  })),
  payload: LookUpPayload,
  resolve: async ({ accountId, ...sender }, { caller }) => ({
    lookup: await lookUpExternalAccount(caller, accountId, withoutNulls(sender)),
  }),
})
