import type { FormEvent } from 'react'
import { OrderCardDocument } from '../gql/graphql.ts'
import { useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, problemAt } from '../parts/form.tsx'
import { amountText } from '../parts/money.tsx'
import { Empty, Refusal } from '../parts/panel.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'
import type { CustomerDetail } from './customer.tsx'

interface Props {
  readonly customer: CustomerDetail
  readonly close: () => void
  readonly made: () => void
}

/** Orders a virtual card that one of the customer's accounts pays for. The issuer then activates it. */
export const OrderCard = ({ customer, close, made }: Props) => {
  const { write, isBusy, failure } = useWrite(OrderCardDocument)
  const accounts = customer.internalAccounts?.nodes ?? []
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { account = '', platformCardId } = filledIn(event.currentTarget)
    const { success } = await write({
      input: {
        cardholderId: customer.id,
        form: 'VIRTUAL',
        fundingSources: [account],
        ...(platformCardId && { platformCardId }),
      },
    })
    if (!success) return
    say('The card is ordered')
    made()
    close()
  }
  return (
    <Dialog title="Order card" close={close}>
      {accounts.length === 0 ? (
        <Empty icon="cardi" title="No account can pay for a card">
          The customer gets accounts once it is approved.
        </Empty>
      ) : (
        <form className="form" onSubmit={submit}>
          <Field
            name="account"
            label="Paid from"
            problem={problemAt(failure, 'fundingSources')}
            choices={accounts.map(({ id, currency, balance }) => [id, `${currency.code}, ${amountText(balance)}`])}
          />
          <Field
            name="platformCardId"
            label="Your id"
            help="Optional"
            problem={problemAt(failure, 'platformCardId')}
            input={{ maxLength: 255 }}
          />
          {failure && <Refusal title="The card was not ordered" failure={failure} />}
          <div className="wrap end">
            <button type="button" className="btn" onClick={close}>
              Cancel
            </button>
            <button type="submit" className="btn go" disabled={isBusy}>
              {isBusy ? 'Ordering it …' : 'Order the card'}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
