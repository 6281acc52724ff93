import { publicId } from '#core/ids.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { currency, from, idOf, moneyOf } from '#graphql/compiled/field.ts'
import { columnsOr, partOf, rowOf } from '#graphql/compiled/parts.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { withCost } from '#graphql/limits/field-cost.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { accountInfoOf, type ExternalAccount, ExternalAccountRecord } from './external-account.ts'
import { fundingInstructionsOf } from './funding/instructions.ts'
import { AccountOrWalletInfo, PaymentInstructionsType } from './graphql-account-info.ts'
import {
  AccountStatusEnum,
  BeneficiaryVerificationStatusEnum,
  ExternalAccountStatusEnum,
  InternalAccountStatusEnum,
  InternalAccountTypeEnum,
  OwnershipTypeEnum,
} from './graphql-enums.ts'
import { type InternalAccount, InternalAccountRecord } from './internal-account.ts'
import {
  ExternalAccountFilterInput,
  externalAccountList,
  InternalAccountFilterInput,
  internalAccountList,
} from './list.ts'
import { ACCOUNT_TEXTS } from './texts.ts'

const internalTexts = InternalAccountRecord.texts
const externalTexts = ExternalAccountRecord.texts

/** An instruction costs as much CPU time as a row and more, although none is read. */
const INSTRUCTIONS_PRICED = 3

export const AccountInterface = builder.interfaceRef<InternalAccount | ExternalAccount>('Account').implement({
  description: 'An account that can send or receive money.',
  interfaces: [NodeInterface],
  resolveType: (value) => (InternalAccountRecord.is(value) ? 'InternalAccount' : 'ExternalAccount'),
  fields: (t) => ({
    ownerId: t.id({
      nullable: false,
      description:
        "`Customer:<uuid>` of the owner; the platform's `PlatformConfig:<uuid>` for an account of the platform's own, as on transactions.",
      ...from<InternalAccount>()(['customerId'], ({ customerId }, _args, { caller }) =>
        customerId === null ? publicId('PlatformConfig', caller.platformId) : publicId('Customer', customerId),
      ),
    }),
    customerId: t.id({
      description: ACCOUNT_TEXTS.customerId,
      deprecationReason: renamedTo('ownerId'),
      ...idOf('Customer', 'customerId'),
    }),
    customer: t.field({
      type: CustomerNode,
      description: "The owner. Null for the platform's own accounts.",
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    currency: t.field({
      type: CurrencyType,
      nullable: false,
      description: internalTexts.currency,
      ...currency('currency'),
    }),
    accountStatus: t.expose('status', { type: AccountStatusEnum, nullable: false, description: ACCOUNT_TEXTS.status }),
    status: t.expose('status', {
      type: AccountStatusEnum,
      nullable: false,
      description: ACCOUNT_TEXTS.status,
      deprecationReason: renamedTo('accountStatus'),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: internalTexts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: internalTexts.updatedAt }),
  }),
})

export const InternalAccountNode = builder.objectRef<InternalAccount>('InternalAccount').implement({
  description: 'An account held by the service. If a wallet backs it, it has credentials.',
  interfaces: [NodeInterface, AccountInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: internalTexts.id, ...idOf('InternalAccount', 'id') }),
    internalType: t.expose('type', { type: InternalAccountTypeEnum, nullable: false, description: internalTexts.type }),
    type: t.expose('type', {
      type: InternalAccountTypeEnum,
      nullable: false,
      description: internalTexts.type,
      deprecationReason: renamedTo('internalType'),
    }),
    internalStatus: t.expose('status', {
      type: InternalAccountStatusEnum,
      nullable: false,
      description: '`accountStatus` as the enum of internal accounts.',
    }),
    fundingPaymentInstructions: t.field({
      type: [PaymentInstructionsType],
      nullable: { list: false, items: false },
      description: ACCOUNT_TEXTS.fundingPaymentInstructions,
      ...withCost(
        { rows: 1, items: () => INSTRUCTIONS_PRICED },
        from<InternalAccount>()(['id', 'customerId', 'type', 'status', 'currency'], (account, _args, { caller }) =>
          fundingInstructionsOf(caller, account),
        ),
      ),
    }),
    balance: t.field({
      type: MoneyType,
      nullable: false,
      description: internalTexts.balance,
      ...moneyOf('balance', 'currency'),
    }),
    totalBalance: t.field({
      type: MoneyType,
      nullable: false,
      description: internalTexts.totalBalance,
      ...moneyOf('totalBalance', 'currency'),
    }),
  }),
})

const BeneficiaryVerifiedDataType = builder.objectRef<ExternalAccount>('BeneficiaryVerifiedData').implement({
  description: "The bank's data about the account holder.",
  fields: (t) => ({
    fullName: t.exposeString('beneficiaryVerifiedName', { description: 'Name of the holder.' }),
  }),
})

export const ExternalAccountNode = builder.objectRef<ExternalAccount>('ExternalAccount').implement({
  description: 'A bank account or wallet outside the service.',
  interfaces: [NodeInterface, AccountInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: externalTexts.id, ...idOf('ExternalAccount', 'id') }),
    externalStatus: t.expose('status', {
      type: ExternalAccountStatusEnum,
      nullable: false,
      description: '`accountStatus` as the enum of external accounts.',
    }),
    accountInfo: t.field({
      type: AccountOrWalletInfo,
      nullable: false,
      description: externalTexts.accountInfo,
      ...columnsOr(from<ExternalAccount>()(['accountType', 'accountInfo'], accountInfoOf)),
    }),
    platformAccountId: t.exposeString('platformAccountId', { description: externalTexts.platformAccountId }),
    defaultUmaDepositAccount: t.exposeBoolean('defaultUmaDepositAccount', {
      nullable: false,
      description: externalTexts.defaultUmaDepositAccount,
    }),
    ownershipType: t.expose('ownershipType', {
      type: OwnershipTypeEnum,
      nullable: false,
      description: externalTexts.ownershipType,
    }),
    beneficiaryVerificationStatus: t.expose('beneficiaryVerificationStatus', {
      type: BeneficiaryVerificationStatusEnum,
      description: externalTexts.beneficiaryVerificationStatus,
    }),
    beneficiaryVerifiedData: t.field({
      type: BeneficiaryVerifiedDataType,
      description: ACCOUNT_TEXTS.beneficiaryVerifiedData,
      ...partOf('beneficiaryVerifiedName'),
    }),
  }),
})

registerRecord(InternalAccountRecord, 'InternalAccount')
registerRecord(ExternalAccountRecord, 'ExternalAccount')

const internalAccounts = listType(
  'InternalAccount',
  InternalAccountNode,
  'internal accounts',
  internalAccountList,
  InternalAccountFilterInput.omit({ type: true }),
)
const externalAccounts = listType(
  'ExternalAccount',
  ExternalAccountNode,
  'external accounts',
  externalAccountList,
  ExternalAccountFilterInput,
)

builder.queryFields((t) => ({
  internalAccounts: listField(t, internalAccounts, 'Accounts held by the service.'),
  externalAccounts: listField(t, externalAccounts, 'Accounts outside the service.'),
}))

builder.objectFields(CustomerNode, (t) => ({
  internalAccounts: linkedListField(t, internalAccounts, 'Customer', 'Accounts held by the service.'),
  externalAccounts: linkedListField(t, externalAccounts, 'Customer', 'Accounts outside the service.'),
}))
