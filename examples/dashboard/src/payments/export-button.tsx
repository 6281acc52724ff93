import { useRef, useState } from 'react'
import { useClient } from 'urql'
import type { TransactionFilter } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { Icon } from '../parts/icon.tsx'
import { counted } from '../parts/words.ts'
import { say } from '../shell/toasts.tsx'
import { download, exportPages } from './csv.ts'

export const ExportButton = ({ filter }: { readonly filter: TransactionFilter }) => {
  const client = useClient()
  const [count, setCount] = useState<number | null>(null)
  const stop = useRef<AbortController | null>(null)
  const run = async () => {
    if (stop.current) return stop.current.abort()
    const controller = new AbortController()
    stop.current = controller
    setCount(0)
    const parts: string[] = []
    let total = 0
    try {
      for await (const page of exportPages(client, filter, controller.signal)) {
        parts.push(page.text)
        total += page.count
        setCount(total)
      }
      if (controller.signal.aborted) say('The export was stopped')
      else {
        download(`payments-${new Date().toISOString().slice(0, 10)}.csv`, parts)
        say(`${counted(total, 'payment')} exported`)
      }
    } catch (failure) {
      say(`Not exported after ${counted(total, 'payment')}: ${(failure as Failure).message}`)
    }
    stop.current = null
    setCount(null)
  }
  return (
    <button type="button" className="btn" onClick={run}>
      <Icon name={count === null ? 'down' : 'x'} />
      {count === null ? 'Export CSV' : `Stop, ${counted(count, 'row')}`}
    </button>
  )
}
