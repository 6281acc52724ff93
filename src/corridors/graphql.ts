// Exchange rates, banks and VASPs in GraphQL.
import { CRYPTO_NETWORKS, type FundingNetwork } from '#accounts/funding/networks.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { PAYMENT_RAILS, type PaymentRail } from '#accounts/payment-rail.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { builder } from '#graphql/builder.ts'
import { connectionOf, connectionType, windowArgs, windowOfArgs } from '#graphql/connection.ts'
import { costing, withCost } from '#graphql/limits/field-cost.ts'
import { CurrencyType, withCurrency } from '#graphql/money.ts'
import { CryptoNetworkEnum } from '#quotes/graphql-mutations.ts'
import { countDiscoveries, DISCOVERY_TEXTS, type Discovery, listDiscoveries } from './discoveries.ts'
import {
  EXCHANGE_RATE_TEXTS,
  type ExchangeRate,
  exchangeRateQuery,
  listExchangeRates,
  mostExchangeRates,
} from './exchange-rates.ts'
import type { CorridorRail } from './rails.ts'
import { listVasps, VASP_TEXTS, type Vasp } from './vasps.ts'

const railOf = (rail: CorridorRail) => PAYMENT_RAILS.find((each): each is PaymentRail => each === rail) ?? null
const networkOf = (rail: CorridorRail) => CRYPTO_NETWORKS.find((each): each is FundingNetwork => each === rail) ?? null

const rate = EXCHANGE_RATE_TEXTS

/** A list of rates is long, so each amount of a rate costs a node. */
const moneyOfRate = <A extends string, C extends string>(amount: A, code: C) => ({
  nullable: false as const,
  ...withCost({ rows: 1 }, withCurrency(amount, code)),
})

type Fees = ExchangeRate['fees'] & { readonly currency: string }

const FeesType = builder.objectRef<Fees>('ExchangeRateFees').implement({
  description: rate.fees,
  fields: (t) => ({
    fixed: t.expose('fixed', { type: 'Int64', nullable: false, description: rate.fixed }),
    fixedMoney: t.field(moneyOfRate('fixed', 'currency')),
    total: t.expose('total', { type: 'Int64', nullable: false, description: rate.total }),
    totalMoney: t.field(moneyOfRate('total', 'currency')),
  }),
})

const ExchangeRateType = builder.objectRef<ExchangeRate>('ExchangeRate').implement({
  description: 'Terms of one corridor on one rail.',
  fields: (t) => ({
    sourceCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: rate.sourceCurrency,
      resolve: ({ sourceCurrency }) => currencyOf(sourceCurrency),
    }),
    destinationCurrency: t.field({
      type: CurrencyType,
      nullable: false,
      description: rate.destinationCurrency,
      resolve: ({ destinationCurrency }) => currencyOf(destinationCurrency),
    }),
    destinationPaymentRail: t.field({
      type: PaymentRailEnum,
      description: rate.destinationPaymentRail,
      resolve: ({ destinationPaymentRail }) => railOf(destinationPaymentRail),
    }),
    destinationNetwork: t.field({
      type: CryptoNetworkEnum,
      description: 'The network of the wallet. Null for an account that is paid over a rail.',
      resolve: ({ destinationPaymentRail }) => networkOf(destinationPaymentRail),
    }),
    sendingAmount: t.expose('sendingAmount', { type: 'Int64', nullable: false, description: rate.sendingAmount }),
    minSendingAmount: t.expose('minSendingAmount', {
      type: 'Int64',
      nullable: false,
      description: rate.minSendingAmount,
    }),
    maxSendingAmount: t.expose('maxSendingAmount', {
      type: 'Int64',
      nullable: false,
      description: rate.maxSendingAmount,
    }),
    receivingAmount: t.expose('receivingAmount', { type: 'Int64', nullable: false, description: rate.receivingAmount }),
    exchangeRate: t.exposeFloat('exchangeRate', { nullable: false, description: rate.exchangeRate }),
    sending: t.field(moneyOfRate('sendingAmount', 'sourceCurrency')),
    minSending: t.field(moneyOfRate('minSendingAmount', 'sourceCurrency')),
    maxSending: t.field(moneyOfRate('maxSendingAmount', 'sourceCurrency')),
    receiving: t.field(moneyOfRate('receivingAmount', 'destinationCurrency')),
    fees: t.field({
      type: FeesType,
      nullable: false,
      description: rate.fees,
      resolve: ({ fees, sourceCurrency }) => ({ ...fees, currency: sourceCurrency }),
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: rate.updatedAt }),
  }),
})

builder.queryField('exchangeRates', (t) =>
  t.field({
    type: [ExchangeRateType],
    nullable: { list: true, items: false },
    description:
      'What a conversion costs on each corridor and rail, with the fees of the platform, priced like a quote. Corridors on which nothing would arrive are left out. Errors: `FORBIDDEN` for an agent, `INVALID_CURRENCY`, `INVALID_AMOUNT`, `AMOUNT_OUT_OF_RANGE`, `QUOTE_REQUEST_FAILED` with the reason `RATES_STALE`, `NOT_IMPLEMENTED`. REST: `GET /exchange-rates`, without `receivingAmount`.',
    args: {
      sourceCurrency: t.arg.string({ description: String(exchangeRateQuery.shape.sourceCurrency.description) }),
      destinationCurrencies: t.arg.stringList({
        description: String(exchangeRateQuery.shape.destinationCurrency.description),
      }),
      sendingAmount: t.arg({
        type: 'Int64',
        description: String(exchangeRateQuery.shape.sendingAmount.description),
      }),
      receivingAmount: t.arg({
        type: 'Int64',
        description: String(exchangeRateQuery.shape.receivingAmount.description),
      }),
    },
    extensions: costing({ rows: 1, items: mostExchangeRates }),
    resolve: (_root, { destinationCurrencies, ...query }, { caller }) =>
      listExchangeRates(caller, { ...query, destinationCurrency: destinationCurrencies }),
  }),
)

const DiscoveryType = builder.objectRef<Discovery>('Discovery').implement({
  description: 'A bank at which accounts can be held.',
  fields: (t) => ({
    bankName: t.exposeString('bankName', { nullable: false, description: DISCOVERY_TEXTS.bankName }),
    displayName: t.exposeString('displayName', { nullable: false, description: DISCOVERY_TEXTS.displayName }),
    country: t.exposeString('country', { nullable: false, description: DISCOVERY_TEXTS.country }),
    currency: t.field({
      type: CurrencyType,
      nullable: false,
      description: DISCOVERY_TEXTS.currency,
      resolve: ({ currency }) => currencyOf(currency),
    }),
    paymentRails: t.field({
      type: [PaymentRailEnum],
      nullable: { list: false, items: false },
      description: DISCOVERY_TEXTS.paymentRails,
      resolve: ({ paymentRails }) => [...paymentRails],
    }),
  }),
})

builder.queryField('discoveries', (t) =>
  t.field({
    type: [DiscoveryType],
    nullable: { list: true, items: false },
    description:
      'Banks by country and currency, for the field `bankName` of accounts. Other names are accepted too. Errors: `FORBIDDEN` for an agent. REST: `GET /discoveries`.',
    args: {
      country: t.arg.string({ description: 'Banks of this country, ISO 3166-1 alpha-2.' }),
      currency: t.arg.string({ description: 'Banks with accounts in this currency, by its code.' }),
    },
    extensions: costing({ rows: 1, items: countDiscoveries }),
    resolve: (_root, query, { caller }) => listDiscoveries(caller, query),
  }),
)

const VaspType = builder.objectRef<Vasp>('Vasp').implement({
  description: 'A virtual asset service provider (VASP).',
  fields: (t) => ({
    vaspName: t.exposeString('vaspName', { nullable: false, description: VASP_TEXTS.vaspName }),
    url: t.exposeString('url', { description: VASP_TEXTS.url }),
  }),
})

const VaspConnection = connectionType<Vasp>('Vasp', VaspType, 'VASPs')

builder.queryField('vasps', (t) =>
  t.field({
    type: VaspConnection,
    description: `Virtual asset service providers (VASPs), such as wallet custodians, in the order of the directory. Errors: \`FORBIDDEN\` for an agent. Page size 1 to ${MAX_PAGE_SIZE}, default ${DEFAULT_PAGE_SIZE}. REST: \`GET /vasps\`.`,
    args: windowArgs(t),
    resolve: (_root, args, { caller }) => {
      const window = windowOfArgs(args)
      const { page, totalCount } = listVasps(caller, window)
      return connectionOf(page, window, async () => totalCount)
    },
  }),
)
