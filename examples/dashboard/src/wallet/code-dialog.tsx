import { type FormEvent, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../graphql/failure.ts'
import { Field, filledIn } from '../parts/form.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { signInByCode } from './device.ts'
import type { Session } from './signed-retry.ts'

interface Props {
  readonly credential: { readonly id: string; readonly credentialType: string; readonly nickname?: string | null }
  readonly bundle: string
  readonly close: () => void
  readonly signedIn: (session: Session) => void
}

/** Asks for the code, which leaves the browser only in encrypted form. */
export const CodeDialog = ({ credential, bundle, close, signedIn }: Props) => {
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { code = '' } = filledIn(event.currentTarget)
    const type = credential.credentialType === 'SMS_OTP' ? 'SMS_OTP' : 'EMAIL_OTP'
    setBusy(true)
    setProblem(undefined)
    try {
      signedIn(await signInByCode(client, credential.id, type, bundle, code))
    } catch (error) {
      setProblem((error as Failure | Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog title="Sign in as the owner" close={close}>
      <form className="form" onSubmit={submit}>
        <Field
          name="code"
          label={`Code for ${credential.nickname ?? 'the owner'}`}
          help="In the sandbox it is 000000, and nothing is sent."
          problem={problem}
          input={{ required: true, autoComplete: 'one-time-code', inputMode: 'numeric' }}
        />
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={isBusy}>
            {isBusy ? 'Signing in …' : 'Sign in'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
