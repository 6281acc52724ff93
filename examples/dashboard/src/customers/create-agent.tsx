import { type FormEvent, useState } from 'react'
import { type AgentPermission, CreateAgentDocument, type CreateAgentMutation } from '../gql/graphql.ts'
import { useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, isAtField, problemAt } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { parseAmount, sentAs } from '../parts/typed-amount.ts'
import { sentence } from '../parts/words.ts'
import { Dialog } from '../shell/dialog.tsx'
import type { CustomerDetail } from './customer.tsx'

const PERMISSIONS: readonly AgentPermission[] = [
  'VIEW_TRANSACTIONS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'CREATE_TRANSFERS',
  'MANAGE_EXTERNAL_ACCOUNTS',
]
const LIMITS = ['perTransactionLimit', 'dailyLimit', 'monthlyLimit', 'threshold'] as const
type Limit = (typeof LIMITS)[number]
const FIELDS = ['name', ...LIMITS]

export type MadeAgent = Extract<
  NonNullable<CreateAgentMutation['createAgent']>,
  { readonly __typename: 'CreateAgentSuccess' }
>

interface Props {
  readonly customer: CustomerDetail
  readonly close: () => void
  /** Also called if the dialog was closed before the answer came. */
  readonly made: (made: MadeAgent) => void
}

/** The limits are in US dollars, whose smallest unit is a cent. */
const CURRENCY = { code: 'USD', decimals: 2 }

export const CreateAgent = ({ customer, close, made }: Props) => {
  const { write, isBusy, failure } = useWrite(CreateAgentDocument)
  const [problems, setProblems] = useState<Partial<Record<Limit, string>>>({})
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const filled = filledIn(event.currentTarget)
    const permissions = new FormData(event.currentTarget).getAll('permissions') as AgentPermission[]
    const amounts: Partial<Record<Limit, number>> = {}
    const wrong: Partial<Record<Limit, string>> = {}
    for (const name of LIMITS) {
      const parsed = filled[name] ? parseAmount(filled[name], CURRENCY.decimals) : undefined
      if (parsed && 'problem' in parsed) wrong[name] = parsed.problem
      else if (parsed) amounts[name] = parsed.amount
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    const { success } = await write({
      input: {
        customerId: customer.id,
        name: filled['name'] ?? '',
        policy: {
          permissions,
          defaultExecutionMode: filled['mode'] === 'AUTO' ? 'AUTO' : 'APPROVAL_REQUIRED',
          spendingLimits: {
            currency: CURRENCY.code,
            perTransactionLimit: amounts.perTransactionLimit ?? 0,
            ...(amounts.dailyLimit !== undefined && { dailyLimit: amounts.dailyLimit }),
            ...(amounts.monthlyLimit !== undefined && { monthlyLimit: amounts.monthlyLimit }),
          },
          ...(amounts.threshold !== undefined && {
            approvalThresholds: { amount: amounts.threshold, currency: CURRENCY.code },
          }),
        },
      },
    })
    if (success) made(success)
  }
  const limit = (name: Limit, label: string, required = false) => (
    <LimitField name={name} label={label} required={required} problem={problems[name] ?? problemAt(failure, name)} />
  )
  return (
    <Dialog title="Add agent" close={close} className="wide">
      <form className="form" onSubmit={submit}>
        <Field
          name="name"
          label="Name"
          problem={problemAt(failure, 'name')}
          input={{ required: true, maxLength: 100 }}
        />
        <fieldset>
          <legend className="field">May</legend>
          <div className="boxes">
            {PERMISSIONS.map((permission) => (
              <label key={permission} className="check">
                <input
                  type="checkbox"
                  name="permissions"
                  value={permission}
                  defaultChecked={permission === 'VIEW_TRANSACTIONS'}
                />
                {sentence(permission)}
              </label>
            ))}
          </div>
        </fieldset>
        <Field
          name="mode"
          label="Actions"
          choices={[
            ['APPROVAL_REQUIRED', 'Wait for a person'],
            ['AUTO', 'Run automatically within the limits'],
          ]}
        />
        {limit('perTransactionLimit', 'Limit of one payment, USD', true)}
        {limit('threshold', 'A person decides above, USD')}
        {limit('dailyLimit', 'Limit of a day, USD')}
        {limit('monthlyLimit', 'Limit of a month, USD')}
        {failure && !isAtField(failure, FIELDS) && <Refusal title="The agent was not created" failure={failure} />}
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={isBusy}>
            {isBusy ? 'Creating it …' : 'Create the agent'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface CodeProps {
  readonly made: MadeAgent
  readonly close: () => void
}

export const AgentCode = ({ made, close }: CodeProps) => (
  <Dialog title={`${made.agent.name} is created`} close={close} isOnce>
    <div className="stack">
      <p className="small t2">The agent connects with this code. It is shown only once.</p>
      <div className="secret">
        <PublicId id={made.deviceCode.code} text={made.deviceCode.code} />
      </div>
      <p className="small t3">
        Ends <Moment at={made.deviceCode.expiresAt} as="full" />
      </p>
      <div className="wrap end">
        <button type="button" className="btn go" onClick={close}>
          Done
        </button>
      </div>
    </div>
  </Dialog>
)

interface LimitProps {
  readonly name: Limit
  readonly label: string
  readonly required: boolean
  readonly problem: string | undefined
}

const LimitField = ({ name, label, required, problem }: LimitProps) => {
  const [typed, setTyped] = useState('')
  return (
    <Field
      name={name}
      label={label}
      className="h"
      problem={problem}
      help={sentAs(typed, CURRENCY) ?? (required ? 'For example 250.00' : 'No limit if it is empty')}
      input={{ inputMode: 'decimal', required, value: typed, onChange: ({ target }) => setTyped(target.value) }}
    />
  )
}
