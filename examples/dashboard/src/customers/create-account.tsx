// A form that is made of `accountRequirements`: it accepts what the gateway accepts.
import { type FormEvent, useMemo, useState } from 'react'
import {
  AccountFormsDocument,
  type AccountFormsQuery,
  CreateAccountDocument,
  type CreateExternalAccountInput,
  type FormFieldFragment,
} from '../gql/graphql.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, isAtField, problemAt } from '../parts/form.tsx'
import { BoneRows, Failed, Refusal } from '../parts/panel.tsx'
import { accountTypeName, sentence } from '../parts/words.ts'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'
import type { CustomerDetail } from './customer.tsx'

type Form = NonNullable<AccountFormsQuery['accountRequirements']>[number]

const FAMILIES = { BANK: 'bankAccount', MOBILE_MONEY: 'mobileMoneyAccount', WALLET: 'wallet' } as const

/** `USD_ACCOUNT` as `usdAccount`, the member of the input. */
const memberOf = (type: string) => type.toLowerCase().replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Common currencies, offered in addition to those of the customer. */
const COMMON = ['USD', 'EUR', 'GBP', 'BRL', 'MXN', 'INR', 'NGN', 'PHP', 'KES']

interface Props {
  readonly customer: CustomerDetail
  readonly close: () => void
  readonly made: () => void
}

export const CreateAccount = ({ customer, close, made }: Props) => {
  const own = customer.internalAccounts?.nodes.map((account) => account.currency.code) ?? []
  const currencies = [...new Set([...customer.currencies, ...own, ...COMMON])]
  const [currency, setCurrency] = useState(currencies[0] ?? 'USD')
  const [typeChosen, setType] = useState<string | undefined>()
  const [isThirdParty, setThirdParty] = useState(true)
  const [kind, setKind] = useState<string | undefined>()
  const { data, failure: lost, reload } = useScreen(AccountFormsDocument, { currency })
  const { write, isBusy, failure } = useWrite(CreateAccountDocument)
  const forms = useMemo(
    () => (data?.accountRequirements ?? []).filter(({ accountType }) => accountType !== 'EMBEDDED_WALLET'),
    [data],
  )
  const form = forms.find(({ accountType }) => accountType === typeChosen) ?? forms[0]
  const beneficiary =
    form?.beneficiaries.find(({ beneficiaryType }) => beneficiaryType === kind) ?? form?.beneficiaries[0]
  const fields = [form?.fields, beneficiary?.fields, beneficiary?.addressFields].flatMap((some) => some ?? [])
  const isShown = isAtField(
    failure,
    fields.map(({ name }) => name),
  )
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!form) return
    const filled = filledIn(event.currentTarget)
    const { success } = await write({ input: inputOf(customer, currency, form, beneficiary, filled, isThirdParty) })
    if (!success) return
    say('The account is added')
    made()
  }
  return (
    <Dialog title="Add account" close={close} className="wide">
      {lost && !data ? (
        <Failed what="the forms" failure={lost} retry={reload} />
      ) : (
        <form className="form" onSubmit={submit}>
          <label className="field h">
            Currency
            <select className="in" value={currency} onChange={({ target }) => setCurrency(target.value)}>
              {currencies.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          </label>
          <label className="field h">
            Kind of account
            <select className="in" value={form?.accountType ?? ''} onChange={({ target }) => setType(target.value)}>
              {forms.map(({ accountType }) => (
                <option key={accountType} value={accountType}>
                  {accountTypeName(accountType)}
                </option>
              ))}
            </select>
          </label>
          {!form ? (
            <BoneRows count={4} />
          ) : (
            <Fields key={form.accountType} fields={form.fields} prefix="account." failure={failure} />
          )}
          {form?.oneSetOf && form.oneSetOf.length > 1 && (
            <p className="help">Needs {form.oneSetOf.map((set) => set.map(sentenceOf).join(' and ')).join(', or ')}.</p>
          )}
          {form && form.beneficiaries.length > 0 && (
            <>
              <label className="field h">
                Belongs to
                <select
                  className="in"
                  value={String(isThirdParty)}
                  onChange={({ target }) => setThirdParty(target.value === 'true')}
                >
                  <option value="true">Someone else</option>
                  <option value="false">The customer</option>
                </select>
              </label>
              <label className="field h">
                Beneficiary
                <select
                  className="in"
                  value={beneficiary?.beneficiaryType}
                  onChange={({ target }) => setKind(target.value)}
                >
                  {form.beneficiaries.map(({ beneficiaryType }) => (
                    <option key={beneficiaryType} value={beneficiaryType}>
                      {sentence(beneficiaryType)}
                    </option>
                  ))}
                </select>
              </label>
              {beneficiary && (
                <>
                  <Fields fields={beneficiary.fields} prefix="beneficiary." failure={failure} />
                  <Fields
                    fields={
                      beneficiary.addressRequired
                        ? beneficiary.addressFields
                        : beneficiary.addressFields.map((field) => ({ ...field, required: false }))
                    }
                    prefix="address."
                    failure={failure}
                  />
                </>
              )}
            </>
          )}
          {failure && !isShown && <Refusal title="The account was not added" failure={failure} />}
          <div className="wrap end">
            <button type="button" className="btn" onClick={close}>
              Cancel
            </button>
            <button type="submit" className="btn go" disabled={isBusy || !form}>
              {isBusy ? 'Adding …' : 'Add account'}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const sentenceOf = (name: string) => name.replace(/([A-Z])/g, ' $1').toLowerCase()

interface FieldsProps {
  readonly fields: readonly FormFieldFragment[]
  readonly prefix: string
  readonly failure: Parameters<typeof problemAt>[0]
}

const Fields = ({ fields, prefix, failure }: FieldsProps) =>
  fields.map(({ name, label, example, required, constraint }) => (
    <Field
      key={prefix + name}
      name={prefix + name}
      label={label}
      className="h"
      help={example && `For example ${example}`}
      problem={problemAt(failure, name)}
      choices={
        constraint.enum
          ? [
              ...(required ? [] : [['', 'Not given'] as const]),
              ...constraint.enum.map((value) => [value, sentence(value)] as const),
            ]
          : undefined
      }
      input={{
        required,
        ...(constraint.pattern && { pattern: constraint.pattern, title: `For example ${example}` }),
        ...(constraint.minLength && { minLength: constraint.minLength }),
        ...(constraint.maxLength && { maxLength: constraint.maxLength }),
      }}
    />
  ))

const inputOf = (
  customer: CustomerDetail,
  currency: string,
  form: Form,
  beneficiary: Form['beneficiaries'][number] | undefined,
  filled: Record<string, string>,
  isThirdParty: boolean,
): CreateExternalAccountInput => {
  const under = (prefix: string) =>
    Object.fromEntries(
      Object.entries(filled).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    )
  const address = under('address.')
  const person = { ...under('beneficiary.'), ...(Object.keys(address).length > 0 && { address }) }
  return {
    customerId: customer.id,
    currency,
    ...(form.beneficiaries.length > 0 && { ownershipType: isThirdParty ? 'THIRD_PARTY' : 'FIRST_PARTY' }),
    accountInfo: { [FAMILIES[form.family]]: { [memberOf(form.accountType)]: under('account.') } },
    ...(beneficiary && { beneficiary: { [beneficiary.beneficiaryType.toLowerCase()]: person } }),
  } as CreateExternalAccountInput
}
