// What a form needs to add an account (docs/domain/account-types.md#forms).
import { AccountTypeEnum, PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { BeneficiaryTypeEnum } from '#accounts/graphql-beneficiary.ts'
import { CHECK_TEXTS, CHECKS } from '#accounts/types/check.ts'
import {
  type AccountRequirements,
  accountRequirements,
  type BeneficiaryForm,
  type FormField,
} from '#accounts/types/requirements.ts'
import { ACCOUNT_FAMILIES } from '#accounts/types/rule.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { FieldConstraintType } from '#graphql/errors/failures.ts'
import { costing } from '#graphql/limits/field-cost.ts'

/** Arguments are not yet validated when an operation is priced. */
const textOf = (argument: unknown) => (typeof argument === 'string' ? argument : null)

/** Forms are long and need no row, so each object of a form costs a node. */
const objectsOfForm = (items: number) => costing({ rows: 1, items: () => items })
const longest = (lists: readonly (readonly unknown[])[]) => Math.max(...lists.map(({ length }) => length))
const FORMS = accountRequirements()
const BENEFICIARY_FORMS = FORMS.flatMap(({ beneficiaries }) => beneficiaries)

const CheckEnum = enumOf('AccountFieldCheck', 'What a value must satisfy beyond its pattern.', CHECKS, CHECK_TEXTS)

const FamilyEnum = enumOf('AccountFamily', 'The family of an account type.', ACCOUNT_FAMILIES, {
  BANK: '`AccountInfoInput.bankAccount`.',
  MOBILE_MONEY: '`AccountInfoInput.mobileMoneyAccount`.',
  WALLET: '`AccountInfoInput.wallet`.',
})

const FormFieldType = builder.objectRef<FormField>('AccountFormField').implement({
  description: 'A text field of a form. Its value must have at least one visible character and be well-formed Unicode.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'Name of the field in the input.' }),
    label: t.exposeString('label', { nullable: false, description: 'Label of the field in a form, in English.' }),
    example: t.exposeString('example', { nullable: false, description: 'A valid value.' }),
    required: t.exposeBoolean('required', { nullable: false, description: 'Whether a value is required.' }),
    constraint: t.expose('constraint', {
      type: FieldConstraintType,
      nullable: false,
      description: 'Every constraint that is present applies. Lengths count Unicode characters.',
    }),
    check: t.expose('check', {
      type: CheckEnum,
      description: 'A further check that the value must pass. Null if there is none.',
    }),
    options: t.stringList({
      nullable: { list: false, items: false },
      description:
        'Values to suggest, such as the banks of the country for `bankName`. Other values are accepted too. Empty if there are none.',
      resolve: ({ options }) => [...options],
    }),
  }),
})

const BeneficiaryFormType = builder.objectRef<BeneficiaryForm>('AccountFormBeneficiary').implement({
  description: 'The fields of one kind of beneficiary.',
  fields: (t) => ({
    beneficiaryType: t.expose('beneficiaryType', {
      type: BeneficiaryTypeEnum,
      nullable: false,
      description: 'Person or business.',
    }),
    fields: t.expose('fields', {
      type: [FormFieldType],
      nullable: { list: false, items: false },
      description: 'The fields other than the address.',
      extensions: objectsOfForm(longest(BENEFICIARY_FORMS.map(({ fields }) => fields))),
    }),
    addressRequired: t.exposeBoolean('addressRequired', {
      nullable: false,
      description: 'Whether an address must be given.',
    }),
    addressFields: t.expose('addressFields', {
      type: [FormFieldType],
      nullable: { list: false, items: false },
      description: 'The fields of an address. Those marked required are required only if an address is given.',
      extensions: objectsOfForm(longest(BENEFICIARY_FORMS.map(({ addressFields }) => addressFields))),
    }),
  }),
})

type RailForm = AccountRequirements['rails'][number]

const RailFormType = builder.objectRef<RailForm>('AccountFormRail').implement({
  description: 'A rail that reaches accounts of a type.',
  fields: (t) => ({
    rail: t.expose('rail', { type: PaymentRailEnum, nullable: false, description: 'The rail.' }),
    oneSetOf: t.field({
      type: t.listRef(t.listRef('String', { nullable: false }), { nullable: false }),
      nullable: false,
      description:
        'If `paymentRails` or `rail` names the rail, at least one of these sets of fields must be given. Empty if the rail needs nothing.',
      resolve: ({ oneSetOf }) => oneSetOf.map((set) => [...set]),
    }),
  }),
})

const RequirementsType = builder.objectRef<AccountRequirements>('AccountRequirements').implement({
  description: 'What a form needs to add an account of one type.',
  fields: (t) => ({
    accountType: t.expose('accountType', { type: AccountTypeEnum, nullable: false, description: 'The account type.' }),
    family: t.field({
      type: FamilyEnum,
      nullable: false,
      description: 'Path of the type in `AccountInfoInput`.',
      resolve: ({ rule }) => rule.family,
    }),
    currencies: t.stringList({
      nullable: { list: false, items: false },
      description: 'Codes of the currencies that such an account can have. Empty means any currency.',
      resolve: ({ rule }) => [...rule.currencies],
    }),
    countries: t.stringList({
      nullable: { list: false, items: false },
      description: 'Countries where such accounts are usual, ISO 3166-1 alpha-2. Empty means anywhere.',
      resolve: ({ rule }) => [...rule.countries],
    }),
    fields: t.expose('fields', {
      type: [FormFieldType],
      nullable: { list: false, items: false },
      description: 'The details of the account.',
      extensions: objectsOfForm(longest(FORMS.map(({ fields }) => fields))),
    }),
    oneSetOf: t.field({
      type: t.listRef(t.listRef('String', { nullable: false }), { nullable: false }),
      nullable: false,
      description:
        'At least one of these sets of fields must be given, and none of them only in part. Empty if only the fields marked `required` are needed.',
      resolve: ({ rule }) => (rule.oneSetOf ?? []).map((set) => [...set]),
    }),
    exactlyOne: t.boolean({
      nullable: false,
      description: 'Whether exactly one of the sets in `oneSetOf` must be given, and not several.',
      resolve: ({ rule }) => rule.exactlyOne ?? false,
    }),
    rails: t.expose('rails', {
      type: [RailFormType],
      nullable: { list: false, items: false },
      description: 'The rails that `paymentRails` may name.',
      extensions: objectsOfForm(longest(FORMS.map(({ rails }) => rails))),
    }),
    beneficiaries: t.expose('beneficiaries', {
      type: [BeneficiaryFormType],
      nullable: { list: false, items: false },
      description: 'The kinds of beneficiary. One must be given. Empty for wallets, which have none.',
      extensions: objectsOfForm(longest(FORMS.map(({ beneficiaries }) => beneficiaries))),
    }),
  }),
})

builder.queryField('accountRequirements', (t) =>
  t.field({
    type: [RequirementsType],
    nullable: { list: true, items: false },
    description:
      'What forms need to add external accounts. A form built from it accepts exactly what `createExternalAccount` accepts.',
    args: {
      currency: t.arg.string({ description: 'Only account types of this currency, by its code.' }),
      country: t.arg.string({ description: 'Only account types that are usual in this country, ISO 3166-1 alpha-2.' }),
    },
    extensions: costing({
      rows: 1,
      items: ({ currency, country }) => accountRequirements(textOf(currency), textOf(country)).length,
    }),
    resolve: (_root, { currency, country }) => accountRequirements(currency, country),
  }),
)
