// What the platform can do with a payment in its state: approve or reject an incoming payment, and cancel one that is with a bank.
import { useState } from 'react'
import { ApprovePaymentDocument, CancelPaymentDocument, RejectPaymentDocument } from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Note, Refusal } from '../parts/panel.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'
import type { Transaction } from './payment.tsx'

type Payment = Exclude<Transaction, { readonly __typename: 'CardTransaction' }>

/** Banks let a payment over these rails be recalled. */
const RECALLABLE = /^(ACH|WIRE)$/

const isWithBank = (payment: Payment) => {
  if (payment.status !== 'PROCESSING' || payment.refund) return false
  if (payment.__typename === 'OutgoingTransaction') return RECALLABLE.test(payment.paymentRail ?? '')
  const { source } = payment
  return source?.__typename === 'AccountSource' && source.account?.__typename === 'ExternalAccount'
}

const waitsForPlatform = ({ __typename, status, source }: Payment) =>
  __typename === 'IncomingTransaction' && status === 'PENDING' && source?.__typename === 'UmaAddressSource'

interface Props {
  readonly payment: Payment
  readonly reload: () => void
}

export const Actions = ({ payment, reload }: Props) => {
  const { id: transactionId } = payment
  const approval = useWrite(ApprovePaymentDocument)
  const rejection = useWrite(RejectPaymentDocument)
  const cancellation = useWrite(CancelPaymentDocument)
  const [asking, setAsking] = useState<'reject' | 'cancel' | undefined>()
  const whyNot = useWhyNot('TRANSACT')
  const writes = [approval, rejection, cancellation]
  const failure = writes.find((write) => write.failure)?.failure
  const isOff = whyNot !== undefined || writes.some((write) => write.isBusy)
  const run = async (write: () => Promise<{ readonly success?: unknown }>, done: string) => {
    for (const { forget } of writes) forget()
    setAsking(undefined)
    const { success } = await write()
    if (!success) return
    say(done)
    reload()
  }
  const approve = () => run(() => approval.write({ input: { transactionId } }), 'Approved. The customer is credited.')
  const reject = (reason: string) =>
    run(() => rejection.write({ input: { transactionId, reason: reason || null } }), 'Rejected')
  const cancel = (reason: string) =>
    run(
      () => cancellation.write({ input: { transactionId, reason: reason || null } }),
      'Cancelled. The money is on its way back.',
    )
  const isWaiting = waitsForPlatform(payment)
  if (!isWaiting && !isWithBank(payment) && !failure) return null
  const button = (text: string, act: () => unknown, look = '') => (
    <button type="button" className={`btn sm${look}`} disabled={isOff} title={whyNot} onClick={act}>
      {text}
    </button>
  )
  return (
    <>
      {isWaiting && (
        <Note
          tone="wait"
          icon="pause"
          title="This payment waits for you"
          className="wide"
          actions={
            <>
              {button('Approve', approve, ' go')}
              {button('Reject', () => setAsking('reject'), ' bad')}
            </>
          }
        >
          Without an answer it ends after 10 minutes.
        </Note>
      )}
      {isWithBank(payment) && (
        <Note
          tone="busy"
          icon="busy"
          title="This payment is with a bank"
          className="wide"
          actions={button('Cancel payment', () => setAsking('cancel'), ' bad')}
        >
          Until it arrives, it can be recalled.
        </Note>
      )}
      {failure && <Refusal title="The payment was not changed" failure={failure} />}
      {asking && (
        <Dialog
          title={asking === 'reject' ? 'Reject this payment?' : 'Cancel this payment?'}
          close={() => setAsking(undefined)}
        >
          <ReasonForm
            label="Reason for the timeline, optional"
            action={asking === 'reject' ? 'Reject' : 'Cancel payment'}
            send={asking === 'reject' ? reject : cancel}
            cancel={() => setAsking(undefined)}
          />
        </Dialog>
      )}
    </>
  )
}
