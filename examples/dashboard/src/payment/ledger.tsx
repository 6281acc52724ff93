// The ledger movements of the payment: from where, to where, and that each currency adds up.
import type { Failure } from '../graphql/failure.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { sentence } from '../parts/words.ts'
import { accountName } from '../payments/party.ts'
import type { Transaction } from './payment.tsx'

type Movement = NonNullable<Transaction['ledgerMovements']>[number]
type Entry = Movement['entries'][number]

const NAMES: Readonly<Record<string, string>> = {
  OUTSIDE: 'Outside the service',
  RECEIVABLE: 'Owed to the service',
  SUSPENSE: 'On its way back',
  SETTLEMENT: 'UMA settlement',
}

interface Props {
  readonly movements: readonly Movement[] | null | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

export const Ledger = ({ movements, failure, reload }: Props) => (
  <Panel title="Ledger" end={movements && movements.length > 0 && <Balance movements={movements} />}>
    {failure ? (
      <Failed what="the ledger" failure={failure} retry={reload} />
    ) : !movements ? (
      <BoneRows count={4} />
    ) : movements.length === 0 ? (
      <Empty icon="list" title="No money has moved">
        Each movement appears here with its two sides.
      </Empty>
    ) : (
      <table className="tbl led">
        <caption className="vh">Ledger movements, oldest first</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="r">
              Debit
            </th>
            <th scope="col" className="r">
              Credit
            </th>
          </tr>
        </thead>
        {movements.map(({ kind, createdAt, entries }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: movements have no ids, and are only added at the end
          <tbody key={index}>
            <tr className="movement">
              <th scope="rowgroup" colSpan={3}>
                {sentence(kind)} <Moment at={createdAt} />
              </th>
            </tr>
            {entries.map((entry, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and never change
              <tr key={position}>
                <td>
                  <Name entry={entry} />
                </td>
                <td className="r num">{entry.amount.amount < 0 && <Side of={entry} />}</td>
                <td className="r num">{entry.amount.amount > 0 && <Side of={entry} />}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    )}
  </Panel>
)

const Side = ({ of: { amount } }: { readonly of: Entry }) => (
  <Money of={{ ...amount, amount: Math.abs(amount.amount) }} />
)

const Name = ({ entry: { account, book } }: { readonly entry: Entry }) =>
  account ? (
    <>
      <strong>{account.customer?.customerName ?? 'The platform'}</strong>{' '}
      <span className="t3">{accountName(account)}</span>
    </>
  ) : (
    <strong>{book ? (NAMES[book] ?? sentence(book)) : 'Another account'}</strong>
  )

/** The gateway keeps the books balanced; the screen checks the sums nevertheless. */
const Balance = ({ movements }: { readonly movements: readonly Movement[] }) => {
  const sums = new Map<string, number>()
  for (const { entries } of movements)
    for (const { amount } of entries)
      sums.set(amount.currency.code, (sums.get(amount.currency.code) ?? 0) + amount.amount)
  const off = [...sums].filter(([, sum]) => sum !== 0).map(([code]) => code)
  const text = off.length > 0 ? `Not balanced in ${off.join(', ')}` : `Balanced in ${[...sums.keys()].join(' and ')}`
  return (
    <span className={`st tiny ${off.length > 0 ? 'bad' : 'ok'}`}>
      <Icon name={off.length > 0 ? 'tri' : 'ok'} />
      {text}
    </span>
  )
}
