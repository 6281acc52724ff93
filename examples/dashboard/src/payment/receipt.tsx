import { ConfirmReceiptDocument } from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Moment } from '../parts/moment.tsx'
import { Refusal } from '../parts/panel.tsx'
import { say } from '../shell/toasts.tsx'

interface Props {
  readonly payment: { readonly id: string; readonly receiptDeliveryConfirmedAt?: string | null }
}

/** Whether the customer has the receipt, which the platform confirms. */
export const Receipt = ({ payment: { id, receiptDeliveryConfirmedAt } }: Props) => {
  const { write, isBusy, failure } = useWrite(ConfirmReceiptDocument)
  const whyNot = useWhyNot('TRANSACT')
  const confirm = async () => {
    const { success } = await write({ input: { transactionId: id } })
    if (success) say('The receipt is confirmed')
  }
  if (receiptDeliveryConfirmedAt)
    return (
      <>
        The customer received it on <Moment at={receiptDeliveryConfirmedAt} as="full" />
      </>
    )
  return (
    <>
      <button
        type="button"
        className="btn sm"
        disabled={isBusy || whyNot !== undefined}
        title={whyNot}
        onClick={confirm}
      >
        Confirm receipt
      </button>
      {failure && <Refusal title="Not confirmed" failure={failure} />}
    </>
  )
}
