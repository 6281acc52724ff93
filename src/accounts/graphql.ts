import { currencyOf } from '#core/currencies.ts'
import { publicId } from '#core/ids.ts'
import { money } from '#core/money.ts'
import { customersByIds } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import { registerNode } from '#graphql/node-types.ts'
import {
  accountInfoOf,
  EXTERNAL_ACCOUNT_STATUSES,
  type ExternalAccount,
  ExternalAccountRecord,
  externalAccountsByIds,
  externalAccountsOfCustomers,
} from './external-account.ts'
import { AccountOrWalletInfo } from './graphql-account-info.ts'
import {
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_ACCOUNT_TYPES,
  type InternalAccount,
  InternalAccountRecord,
  internalAccountsByIds,
  internalAccountsOfCustomers,
} from './internal-account.ts'

const InternalAccountTypeEnum = enumOf(
  'InternalAccountType',
  'Kind of an account held by the service.',
  INTERNAL_ACCOUNT_TYPES,
  {
    INTERNAL_FIAT: 'Fiat balance.',
    INTERNAL_CRYPTO: 'Custodial crypto balance.',
    EMBEDDED_WALLET: 'Wallet whose actions the customer signs; it has credentials.',
  },
)

const INTERNAL_STATES = {
  PENDING: 'Being opened.',
  ACTIVE: 'Sends and receives.',
  CLOSED: 'Closed for good.',
  FROZEN: 'Stopped until it is released.',
  FAILED: 'Could not be opened.',
}

const EXTERNAL_STATES = {
  PENDING: 'Being checked.',
  ACTIVE: 'Can be paid.',
  UNDER_REVIEW: 'A person looks at it.',
  INACTIVE: 'Cannot be paid.',
}

const InternalAccountStatusEnum = enumOf(
  'InternalAccountStatus',
  'State of an account held by the service. Only `ACTIVE` accounts send and receive.',
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_STATES,
)

const ExternalAccountStatusEnum = enumOf(
  'ExternalAccountStatus',
  'State of an account outside the service.',
  EXTERNAL_ACCOUNT_STATUSES,
  EXTERNAL_STATES,
)

const AccountStatusEnum = enumOf(
  'AccountStatus',
  'Every state that an account of either kind can be in. For table columns that span the kinds.',
  [...new Set([...INTERNAL_ACCOUNT_STATUSES, ...EXTERNAL_ACCOUNT_STATUSES])],
  {
    ...INTERNAL_STATES,
    ...EXTERNAL_STATES,
    PENDING: 'Being opened or checked.',
    ACTIVE: 'Sends and receives, or can be paid.',
  },
)

const ACCOUNT_STATUS =
  "State of an account of either kind. The kind's exact enum is in `internalStatus` or `externalStatus`."

export const AccountInterface = builder.interfaceRef<InternalAccount | ExternalAccount>('Account').implement({
  description: 'An account that can send or receive money.',
  interfaces: [NodeInterface],
  resolveType: (value) => (InternalAccountRecord.is(value) ? 'InternalAccount' : 'ExternalAccount'),
  fields: (t) => ({
    ownerId: t.id({
      nullable: false,
      description:
        "`Customer:<uuid>` of the owner; the platform's `PlatformConfig:<uuid>` for an account of the platform's own, as on transactions.",
      resolve: ({ customerId }, _args, { caller }) =>
        customerId === null ? publicId('PlatformConfig', caller.platformId) : publicId('Customer', customerId),
    }),
    customerId: t.id({
      description: "`Customer:<uuid>`. Null for an account of the platform's own.",
      deprecationReason: renamedTo('ownerId'),
      resolve: ({ customerId }) => customerId && publicId('Customer', customerId),
    }),
    customer: t.field({
      type: CustomerNode,
      description: "Owner. Null for an account of the platform's own.",
      resolve: ({ customerId }, _args, context) => loadOptional(context, customersByIds, customerId),
    }),
    currency: t.field({
      type: CurrencyType,
      nullable: false,
      description: 'Currency of the account.',
      resolve: ({ currency }) => currencyOf(currency),
    }),
    accountStatus: t.expose('status', { type: AccountStatusEnum, nullable: false, description: ACCOUNT_STATUS }),
    status: t.expose('status', {
      type: AccountStatusEnum,
      nullable: false,
      description: ACCOUNT_STATUS,
      deprecationReason: renamedTo('accountStatus'),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the account was created.',
    }),
  }),
})

export const InternalAccountNode = builder.objectRef<InternalAccount>('InternalAccount').implement({
  description: 'An account held by the service; may be wallet-backed and then has credentials.',
  interfaces: [NodeInterface, AccountInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: '`InternalAccount:<uuid>`.',
      resolve: ({ id }) => publicId('InternalAccount', id),
    }),
    internalType: t.expose('type', { type: InternalAccountTypeEnum, nullable: false, description: 'Kind of account.' }),
    type: t.expose('type', {
      type: InternalAccountTypeEnum,
      nullable: false,
      description: 'Kind of account.',
      deprecationReason: renamedTo('internalType'),
    }),
    internalStatus: t.expose('status', {
      type: InternalAccountStatusEnum,
      nullable: false,
      description: '`accountStatus` as the enum of internal accounts.',
    }),
    balance: t.field({
      type: MoneyType,
      nullable: false,
      description: 'Spendable: without pending and held money.',
      resolve: ({ balance, currency }) => money(balance, currency),
    }),
    totalBalance: t.field({
      type: MoneyType,
      nullable: false,
      description: 'With pending and held money.',
      resolve: ({ totalBalance, currency }) => money(totalBalance, currency),
    }),
  }),
})

export const ExternalAccountNode = builder.objectRef<ExternalAccount>('ExternalAccount').implement({
  description: 'A bank account or wallet outside the service.',
  interfaces: [NodeInterface, AccountInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: '`ExternalAccount:<uuid>`.',
      resolve: ({ id }) => publicId('ExternalAccount', id),
    }),
    externalStatus: t.expose('status', {
      type: ExternalAccountStatusEnum,
      nullable: false,
      description: '`accountStatus` as the enum of external accounts.',
    }),
    accountInfo: t.field({
      type: AccountOrWalletInfo,
      nullable: false,
      description: 'Number, bank, address: what the account type has.',
      resolve: accountInfoOf,
    }),
  }),
})

registerNode({
  kinds: { InternalAccount: internalAccountsByIds },
  typeName: (value) => (InternalAccountRecord.is(value) ? 'InternalAccount' : undefined),
})
registerNode({
  kinds: { ExternalAccount: externalAccountsByIds },
  typeName: (value) => (ExternalAccountRecord.is(value) ? 'ExternalAccount' : undefined),
})

builder.objectFields(CustomerNode, (t) => ({
  internalAccounts: t.field({
    type: [InternalAccountNode],
    nullable: { list: true, items: false },
    description: 'Accounts held by the service, newest first.',
    resolve: ({ id }, _args, context) => load(context, internalAccountsOfCustomers, id),
  }),
  externalAccounts: t.field({
    type: [ExternalAccountNode],
    nullable: { list: true, items: false },
    description: 'Accounts outside the service, newest first.',
    resolve: ({ id }, _args, context) => load(context, externalAccountsOfCustomers, id),
  }),
}))
