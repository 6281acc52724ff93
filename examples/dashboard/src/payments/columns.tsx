// The columns of the table, in the order of use.
import { columnVisibilityFeature, createColumnHelper, rowSelectionFeature, tableFeatures } from '@tanstack/react-table'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { agentOf, flowOf, methodOf, partyOf, type Row } from './party.ts'

export const features = tableFeatures({ rowSelectionFeature, columnVisibilityFeature })

const helper = createColumnHelper<typeof features, Row>()

const None = ({ what }: { readonly what: string }) => (
  <span className="t3">
    —<span className="vh">{what}</span>
  </span>
)

export const columns = helper.columns([
  helper.display({
    id: 'ck',
    header: () => <span className="vh">Selected</span>,
    cell: ({ row }) => (
      <input
        type="checkbox"
        aria-label={`Select ${partyOf(row.original)}, ${row.original.createdAt.slice(11, 19)}`}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
    ),
  }),
  helper.accessor('status', { id: 'st', header: 'Status', cell: ({ getValue }) => <Status of={getValue()} /> }),
  helper.display({
    id: 'am',
    header: 'Amount',
    cell: ({ row: { original } }) => <Money of={original.amount} flow={flowOf(original)} status={original.status} />,
  }),
  helper.display({
    id: 'to',
    header: 'To or from',
    cell: ({ row: { original } }) => {
      const name = partyOf(original)
      return (
        <Link href={`/payments/${original.id}`} className="to" title={name}>
          {name}
        </Link>
      )
    },
  }),
  helper.display({
    id: 'cu',
    header: 'Customer',
    cell: ({ row: { original } }) => original.customer?.customerName ?? <None what="no customer" />,
  }),
  helper.display({ id: 'vi', header: 'Method', cell: ({ row: { original } }) => methodOf(original) }),
  helper.display({
    id: 'by',
    header: 'Agent',
    cell: ({ row: { original } }) => {
      const agent = agentOf(original)
      if (!agent) return <None what="no agent" />
      return (
        <>
          <span className="ava">
            <Icon name="bot" />
          </span>
          {agent.name}
        </>
      )
    },
  }),
  helper.accessor('createdAt', { id: 'at', header: 'Created ↓', cell: ({ getValue }) => <Moment at={getValue()} /> }),
])

/** Columns that a reader may hide, by name. */
export const HIDEABLE: Readonly<Record<string, string>> = { cu: 'Customer', vi: 'Method', by: 'Agent', at: 'Created' }

/** Classes of cells by column: width and look. */
export const CLASSES: Readonly<Record<string, string>> = {
  ck: 'ck',
  st: 'c-st',
  am: 'c-am r',
  to: 'c-to',
  cu: 'c-cu t2',
  vi: 'c-vi t2',
  by: 'c-by t2',
  at: 'c-at num t2',
}
