// The selected row: beside the list on wide screens, and over the end of the list on others when Space opens it.
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { Fact } from '../payment/details.tsx'
import { agentOf, flowOf, methodOf, partyOf, type Row } from './party.ts'

interface Props {
  readonly row: Row | undefined
  /** Shows it over the list if there is no room beside it. */
  readonly isOpen: boolean
  readonly close: () => void
}

export const Peek = ({ row, isOpen, close }: Props) => {
  const look = `peek card${isOpen ? ' over' : ''}`
  if (!row) return <aside className={look} aria-label="Chosen payment" />
  const agent = agentOf(row)
  return (
    <aside className={look} aria-label="Chosen payment">
      <header>
        <h2 className="cut">{partyOf(row)}</h2>
        <Link className="small" href={`/payments/${row.id}`}>
          Open <kbd aria-hidden="true">↵</kbd>
        </Link>
        {isOpen && (
          <button type="button" className="btn bare icon" onClick={close} aria-label="Close the panel">
            <Icon name="x" />
          </button>
        )}
      </header>
      <div className="body stack">
        <div>
          <div className="peek-sum">
            <Money of={row.amount} flow={flowOf(row)} status={row.status} />
          </div>
          <Status of={row.status} isPill />
        </div>
        <dl className="facts">
          <Fact name="Method">{methodOf(row)}</Fact>
          <Fact name="Customer">
            {row.customer ? (
              <Link href={`/customers/${row.customer.id}`}>{row.customer.customerName ?? 'No name'}</Link>
            ) : (
              '—'
            )}
          </Fact>
          {agent && <Fact name="Agent">{agent.name}</Fact>}
          {'description' in row && row.description && <Fact name="Description">{row.description}</Fact>}
          <Fact name="Created">
            <Moment at={row.createdAt} as="full" />
          </Fact>
          <Fact name="Changed">
            <Moment at={row.updatedAt} as="full" />
          </Fact>
          <Fact name="Id">
            <PublicId id={row.id} />
          </Fact>
        </dl>
      </div>
    </aside>
  )
}
