import { type RowSelectionState, type Updater, useTable } from '@tanstack/react-table'
import { type CSSProperties, memo } from 'react'
import { figuresOf } from '../parts/money.tsx'
import { Bone } from '../parts/panel.tsx'
import { CLASSES, columns, features } from './columns.tsx'
import type { Row } from './party.ts'

interface Props {
  /** Undefined while they load. */
  readonly rows: readonly Row[] | undefined
  readonly size: number
  readonly fresh: ReadonlySet<string>
  /** Rows that no longer fit the filter stay until the next load. */
  readonly isDimmed: (row: Row) => boolean
  readonly current: string | undefined
  readonly selection: RowSelectionState
  readonly setSelection: (next: Updater<RowSelectionState>) => void
  readonly hidden: Readonly<Record<string, boolean>>
}

const NO_ROWS: Row[] = []

export const PaymentTable = memo(({ rows, size, fresh, isDimmed, current, selection, setSelection, hidden }: Props) => {
  const table = useTable({
    features,
    columns,
    data: (rows as Row[] | undefined) ?? NO_ROWS,
    getRowId: ({ id }) => id,
    state: { rowSelection: selection, columnVisibility: hidden },
    onRowSelectionChange: setSelection,
  })
  return (
    <table role="table" className="tbl pay fold" aria-busy={rows === undefined} style={widthOf(rows)}>
      <caption className="vh">Payments, newest first</caption>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr role="row" key={group.id}>
            {group.headers.map((header) => (
              <th
                role="columnheader"
                key={header.id}
                scope="col"
                className={CLASSES[header.id]?.replace(/ (t2|num)/g, '')}
                aria-sort={header.id === 'at' ? 'descending' : undefined}
              >
                {header.id === 'ck' ? (
                  <input
                    type="checkbox"
                    aria-label="Select all on this page"
                    checked={table.getIsAllRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {rows
          ? table.getRowModel().rows.map((row) => (
              <tr
                role="row"
                key={row.id}
                data-id={row.id}
                className={classOf(
                  row.getIsSelected() && 'sel',
                  row.id === current && 'cur-row',
                  fresh.has(row.id) && 'new',
                  isDimmed(row.original) && 'dim',
                )}
              >
                {row.getVisibleCells().map((cell) => (
                  <td role="cell" key={cell.id} className={CLASSES[cell.column.id]}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))
          : Array.from({ length: size }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
              <tr role="row" key={index}>
                {table.getVisibleLeafColumns().map(({ id }, column) => (
                  <td role="cell" key={id} className={CLASSES[id]}>
                    {id !== 'ck' && <Bone at={index + column} />}
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </table>
  )
})

const classOf = (...names: (string | false)[]) => names.filter(Boolean).join(' ') || undefined

/** An amount is never cut, so its column is as wide as the longest one. Its sign counts as a digit, a comma or a point as half of one. */
const widthOf = (rows: readonly Row[] = []) => {
  const digits = rows.map(({ amount }) => {
    if (!amount) return 0
    const figures = figuresOf(amount.amount, amount.currency.decimals)
    return 1 + figures.length - (figures.match(/[.,]/g)?.length ?? 0) / 2
  })
  return { '--digits': Math.max(0, ...digits) } as CSSProperties
}
