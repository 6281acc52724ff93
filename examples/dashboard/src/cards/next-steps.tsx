// What a merchant may do next with a payment by card, in the sandbox.
import { type FormEvent, useState } from 'react'
import {
  type CardUseFragment,
  SimulateAdviceDocument,
  SimulateClearingDocument,
  SimulateReturnDocument,
  SimulateReversalDocument,
} from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Field, problemAt } from '../parts/form.tsx'
import { type Amount, amountText, figuresOf } from '../parts/money.tsx'
import { Refusal } from '../parts/panel.tsx'
import { parseAmount } from '../parts/typed-amount.ts'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'

export type Use = CardUseFragment & { readonly id: string; readonly status: string; readonly amount: Amount }

type Step = 'clear' | 'change' | 'return'

const TITLES: Readonly<Record<Step, string>> = {
  clear: 'Clear a part',
  change: 'Change the authorized amount',
  return: 'Return',
}

/** Whether a merchant can still do something. */
export const hasNextStep = ({ status }: Use) => /^(AUTHORIZED|PARTIALLY_SETTLED|SETTLED|REFUNDED)$/.test(status)

export const NextSteps = ({ cardId, use }: { readonly cardId: string; readonly use: Use }) => {
  const { id, status, authorizedAmount, settledAmount, refundedAmount } = use
  const writes = {
    clear: useWrite(SimulateClearingDocument),
    change: useWrite(SimulateAdviceDocument),
    return: useWrite(SimulateReturnDocument),
  }
  const reversal = useWrite(SimulateReversalDocument)
  const [asking, setAsking] = useState<Step | undefined>()
  const whyNot = useWhyNot('MANAGE')
  const isBusy = reversal.isBusy || Object.values(writes).some((write) => write.isBusy)
  const failure = reversal.failure ?? Object.values(writes).find((write) => write.failure)?.failure
  const isOpen = status === 'AUTHORIZED' || status === 'PARTIALLY_SETTLED'
  const { decimals } = authorizedAmount.currency
  const settled = settledAmount?.amount ?? 0
  const open = authorizedAmount.amount - settled
  const net = settled - (refundedAmount?.amount ?? 0)
  const forget = () => {
    reversal.forget()
    for (const write of Object.values(writes)) write.forget()
  }
  const simulate = async (step: Step, amount: number) => {
    forget()
    const { success } = await writes[step].write({ input: { cardId, cardTransactionId: id, amount } })
    if (!success) return
    setAsking(undefined)
    say('Accepted. The payment changes in a moment.')
  }
  const reverse = async () => {
    forget()
    const { success } = await reversal.write({ input: { cardId, cardTransactionId: id } })
    if (success) say('Accepted. The payment changes in a moment.')
  }
  const button = (text: string, run: () => unknown) => (
    <button
      type="button"
      className="btn sm"
      disabled={isBusy || whyNot !== undefined}
      title={whyNot}
      onClick={() => {
        forget()
        return run()
      }}
    >
      {text}
    </button>
  )
  return (
    <div className="wrap steps">
      {isOpen && (
        <>
          {button(`Clear ${figuresOf(open, decimals)}`, () => simulate('clear', open))}
          {button('Clear part', () => setAsking('clear'))}
          {button('Change amount', () => setAsking('change'))}
          {button('Let it expire', () => simulate('clear', 0))}
        </>
      )}
      {!isOpen && net > 0 && button('Return', () => setAsking('return'))}
      {status === 'REFUNDED' && button('Reverse the return', reverse)}
      {failure && !asking && <Refusal title="Not simulated" failure={failure} />}
      {asking && (
        <AmountDialog
          title={TITLES[asking]}
          suggested={{
            ...authorizedAmount,
            amount: { clear: open, change: authorizedAmount.amount, return: net }[asking],
          }}
          isBusy={isBusy}
          failure={failure}
          send={(amount) => simulate(asking, amount)}
          close={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}

interface DialogProps {
  readonly title: string
  readonly suggested: Amount
  readonly isBusy: boolean
  readonly failure: Parameters<typeof problemAt>[0]
  readonly send: (amount: number) => unknown
  readonly close: () => void
}

const AmountDialog = ({ title, suggested, isBusy, failure, send, close }: DialogProps) => {
  const [problem, setProblem] = useState<string | undefined>()
  const { code, decimals } = suggested.currency
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const parsed = parseAmount(String(new FormData(event.currentTarget).get('amount')), decimals)
    if ('problem' in parsed) return setProblem(parsed.problem)
    setProblem(undefined)
    return send(parsed.amount)
  }
  const atField = problem ?? problemAt(failure, 'amount')
  return (
    <Dialog title={title} close={close}>
      <form className="form" onSubmit={submit}>
        <Field
          name="amount"
          label={`Amount, ${code}`}
          help={`Open: ${amountText(suggested)}`}
          defaultValue={figuresOf(suggested.amount, decimals)}
          problem={atField}
          input={{ inputMode: 'decimal', required: true }}
        />
        {failure && !atField && <Refusal title="Not simulated" failure={failure} />}
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={isBusy}>
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
