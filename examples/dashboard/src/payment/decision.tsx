// A payment that waits for the platform can be decided where it is seen.
import { Link } from 'wouter'
import { Note } from '../parts/panel.tsx'
import { agentOf } from '../payments/party.ts'
import type { Transaction } from './payment.tsx'

export const Decision = ({ transaction }: { readonly transaction: Transaction }) => {
  if (transaction.status !== 'PENDING' || !agentOf(transaction)) return null
  return (
    <Note
      tone="wait"
      icon="pause"
      title="An agent asked for this payment"
      className="wide"
      actions={
        <Link href="/approvals" className="btn sm">
          Open approvals
        </Link>
      }
    >
      It may wait for an approval.
    </Note>
  )
}
