import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { CreateCustomerDocument, type CreateCustomerInput } from '../gql/graphql.ts'
import { useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, isAtField, problemAt } from '../parts/form.tsx'
import { Refusal } from '../parts/panel.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'

const FIELDS = [
  'fullName',
  'birthDate',
  'nationality',
  'taxIdentifier',
  'legalName',
  'taxId',
  'incorporatedOn',
  'business.country',
  'address.country',
  'email',
  'phoneNumber',
  'platformCustomerId',
  'currencies',
  'region',
  'address',
  'line1',
  'city',
  'postalCode',
]

export const CreateCustomer = ({ close }: { readonly close: () => void }) => {
  const [kind, setKind] = useState<'individual' | 'business'>('individual')
  const { write, isBusy, failure } = useWrite(CreateCustomerDocument)
  const [, navigate] = useLocation()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { success } = await write({ input: inputOf(kind, filledIn(event.currentTarget)) })
    if (!success) return
    say('The customer is created')
    navigate(`/customers/${success.customer.id}`)
  }
  const field = (name: string, label: string, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field key={name} name={name} label={label} problem={problemAt(failure, name)} className="h" {...more} />
  )
  return (
    <Dialog title="New customer" close={close} className="wide">
      <form className="form" onSubmit={submit}>
        <fieldset className="seg">
          <legend className="vh">Kind</legend>
          <button type="button" aria-pressed={kind === 'individual'} onClick={() => setKind('individual')}>
            Individual
          </button>
          <button type="button" aria-pressed={kind === 'business'} onClick={() => setKind('business')}>
            Business
          </button>
        </fieldset>
        {kind === 'individual'
          ? [
              field('fullName', 'Full name', { input: { required: true, maxLength: 200 } }),
              field('birthDate', 'Date of birth', { input: { type: 'date' } }),
              field('nationality', 'Nationality', { help: 'Two letters, for example DE', input: { maxLength: 2 } }),
              field('taxIdentifier', 'Tax number', { help: 'Needed for USD in the United States' }),
            ]
          : [
              field('legalName', 'Legal name', { input: { required: true, maxLength: 200 } }),
              field('taxId', 'Tax id', { input: { required: true } }),
              field('incorporatedOn', 'Incorporated on', { input: { type: 'date', required: true } }),
              field('business.country', 'Country of incorporation', { help: 'Two letters', input: { maxLength: 2 } }),
            ]}
        {field('platformCustomerId', 'Your id of the customer', { help: 'Generated if it is empty' })}
        {field('email', 'Email', { input: { type: 'email' } })}
        {field('phoneNumber', 'Phone', { help: 'For example +4915112345678', input: { type: 'tel' } })}
        {field('region', 'Region', { help: 'Two letters, for example US', input: { maxLength: 2 } })}
        {field('currencies', 'Currencies', { help: 'For example USD, EUR', defaultValue: 'USD' })}
        {field('line1', 'Street and number', { problem: problemAt(failure, 'line1') ?? problemAt(failure, 'address') })}
        {field('city', 'City')}
        {field('postalCode', 'Postal code')}
        {field('address.country', 'Country of the address', { help: 'Two letters', input: { maxLength: 2 } })}
        {failure && !isAtField(failure, FIELDS) && <Refusal title="The customer was not created" failure={failure} />}
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={isBusy}>
            {isBusy ? 'Creating it …' : 'Create the customer'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const inputOf = (kind: 'individual' | 'business', filled: Record<string, string>): CreateCustomerInput => {
  const { line1, city, postalCode, fullName, birthDate, nationality, taxIdentifier } = filled
  const { legalName = '', taxId = '', incorporatedOn = '', currencies, ...others } = filled
  const country = filled['address.country']?.toUpperCase()
  const incorporatedIn = filled['business.country']?.toUpperCase()
  const address =
    line1 || city || postalCode || country
      ? {
          line1: line1 ?? '',
          postalCode: postalCode ?? '',
          country: country ?? '',
          ...(city && { city }),
        }
      : undefined
  return {
    ...(others['email'] && { email: others['email'] }),
    ...(others['phoneNumber'] && { phoneNumber: others['phoneNumber'] }),
    ...(others['platformCustomerId'] && { platformCustomerId: others['platformCustomerId'] }),
    ...(others['region'] && { region: others['region'].toUpperCase() }),
    ...(currencies && { currencies: currencies.split(/[\s,]+/).map((code) => code.toUpperCase()) }),
    details:
      kind === 'individual'
        ? {
            individual: {
              ...(fullName && { fullName }),
              ...(birthDate && { birthDate }),
              ...(nationality && { nationality: nationality.toUpperCase() }),
              ...(taxIdentifier && { taxIdentifier }),
              ...(address && { address }),
            },
          }
        : {
            business: {
              legalName,
              taxId,
              incorporatedOn,
              ...(incorporatedIn && { country: incorporatedIn }),
              ...(address && { address }),
            },
          },
  }
}
