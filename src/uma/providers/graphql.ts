import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { listField, listType } from '#graphql/list-field.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { type UmaProvider, UmaProviderFilterInput, UmaProviderRecord, umaProviderList } from './provider.ts'

const { texts } = UmaProviderRecord

const UmaProviderNode = builder.objectRef<UmaProvider>('UmaProvider').implement({
  description: 'An institution whose customers have UMA addresses.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('UmaProvider', 'id') }),
    name: t.exposeString('name', { nullable: false, description: texts.name }),
    domain: t.exposeString('domain', { nullable: false, description: texts.domain }),
    supportedRegions: t.exposeStringList('supportedRegions', {
      nullable: { list: false, items: false },
      description: texts.supportedRegions,
    }),
    supportedCurrencyCodes: t.exposeStringList('supportedCurrencies', {
      nullable: { list: false, items: false },
      description: texts.supportedCurrencies,
    }),
    supportedCurrencies: t.exposeStringList('supportedCurrencies', {
      nullable: { list: false, items: false },
      description: texts.supportedCurrencies,
      deprecationReason: renamedTo('supportedCurrencyCodes'),
    }),
    logoUrl: t.exposeString('logoUrl', { description: texts.logoUrl }),
    lei: t.exposeString('lei', { description: texts.lei }),
    isAllowed: t.exposeBoolean('isAllowed', { nullable: false, description: texts.isAllowed }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
  }),
})

registerRecord(UmaProviderRecord, 'UmaProvider')

const umaProviders = listType('UmaProvider', UmaProviderNode, 'UMA providers', umaProviderList, UmaProviderFilterInput)

builder.queryField('umaProviders', (t) =>
  listField(t, umaProviders, 'UMA providers that the platform can deal with. The operator adds them.'),
)
