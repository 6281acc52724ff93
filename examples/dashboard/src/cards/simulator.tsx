// Uses the card as a merchant would, in the sandbox. The outcome appears in the list next to it, which is live.
import { type FormEvent, useRef, useState } from 'react'
import { type CardAuthorizationKind, SimulateInquiryDocument, SimulateUseDocument } from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, isAtField, problemAt } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Panel, Refusal } from '../parts/panel.tsx'
import { parseAmount, sentAs } from '../parts/typed-amount.ts'
import { useKeys } from '../shell/keys.ts'
import type { Card } from './cards.tsx'

const INQUIRY = 'INQUIRY'
const KINDS: readonly (readonly [CardAuthorizationKind | typeof INQUIRY, string])[] = [
  ['AUTHORIZATION', 'Purchase, cleared later'],
  ['FINANCIAL_AUTHORIZATION', 'Purchase, cleared at once'],
  ['CREDIT_AUTHORIZATION', 'Credit, cleared later'],
  ['CREDIT_AUTHORIZATION_ADVICE', 'Advice of a credit'],
  ['FINANCIAL_CREDIT_AUTHORIZATION', 'Credit, cleared at once'],
  [INQUIRY, 'Balance inquiry'],
]

const FIELDS = ['amount', 'currency', 'descriptor', 'mcc', 'country']

export const Simulator = ({ card: { id, account } }: { readonly card: Card }) => {
  const use = useWrite(SimulateUseDocument)
  const inquiry = useWrite(SimulateInquiryDocument)
  const whyNot = useWhyNot('MANAGE')
  const [kind, setKind] = useState<string>('AUTHORIZATION')
  const [typed, setTyped] = useState('64.20')
  const [hasTried, setTried] = useState(false)
  const [accepted, setAccepted] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useKeys([
    { press: 's', does: 'Simulate a use of the card', run: () => form.current?.querySelector('select')?.focus() },
  ])
  const { code = '', decimals = 2 } = account?.balance.currency ?? {}
  const parsed = parseAmount(typed, decimals)
  const amountProblem = 'problem' in parsed ? parsed.problem : undefined
  const failure = use.failure ?? inquiry.failure
  const isInquiry = kind === INQUIRY
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    use.forget()
    inquiry.forget()
    setAccepted('')
    setTried(true)
    const { descriptor = '', mcc, country } = filledIn(event.currentTarget)
    const merchant = { descriptor, mcc: mcc ?? null, country: country?.toUpperCase() ?? null }
    if (isInquiry) {
      const { success } = await inquiry.write({ input: { cardId: id, merchant } })
      if (success) setAccepted('Accepted. A balance inquiry changes nothing, and no payment appears.')
      return
    }
    if ('problem' in parsed) return
    const { success } = await use.write({
      input: { cardId: id, amount: parsed.amount, currency: code, kind: kind as CardAuthorizationKind, merchant },
    })
    if (success) setAccepted('Accepted. The payment appears in the list, unless the issuer declines it.')
  }
  return (
    <Panel title="Simulator" end={<span className="tag sand">Sandbox only</span>}>
      <form className="body form" ref={form} onSubmit={submit}>
        <Field
          name="kind"
          label="What happens"
          choices={KINDS}
          defaultValue={kind}
          select={({ target }) => setKind(target.value)}
        />
        {!isInquiry && (
          <Field
            name="amount"
            label={`Amount, ${code}`}
            help={sentAs(typed, { code, decimals }) ?? ' '}
            problem={(hasTried ? amountProblem : undefined) ?? problemAt(failure, 'amount')}
            input={{ inputMode: 'decimal', value: typed, onChange: ({ target }) => setTyped(target.value) }}
          />
        )}
        <Field
          name="descriptor"
          label="Merchant"
          help="Ends in 002: declined. In 005: pulled after 30 s. In 006: the pull fails."
          defaultValue="CLOUDHOST FRANKFURT"
          problem={problemAt(failure, 'descriptor')}
          input={{ required: true }}
        />
        <Field
          name="mcc"
          label="Category code"
          className="h"
          defaultValue="4816"
          problem={problemAt(failure, 'mcc')}
          input={{ inputMode: 'numeric' }}
        />
        <Field
          name="country"
          label="Country"
          className="h"
          defaultValue="DE"
          problem={problemAt(failure, 'country')}
          input={{ maxLength: 2 }}
        />
        {failure && !isAtField(failure, FIELDS) && <Refusal title="Not simulated" failure={failure} />}
        <div className="wrap">
          <button
            type="submit"
            className="btn go"
            disabled={use.isBusy || inquiry.isBusy || whyNot !== undefined}
            title={whyNot}
          >
            <Icon name="play" />
            Simulate
          </button>
        </div>
        <p className="help" role="status">
          {accepted}
        </p>
      </form>
    </Panel>
  )
}
