// Reads pages through `listTransactions` directly. The cost of HTTP is the same at any size and would only hide differences.
import { closeDatabase } from '#database/db.ts'
import { countTransactions } from '#transactions/list/count.ts'
import { listTransactions } from '#transactions/list/list.ts'
import { openDemo } from './demo.ts'
import { pairsOf } from './filters.ts'

export interface Question {
  /** The index of the case, or the number of transactions. */
  readonly ask: number | 'count'
  readonly size: number
  readonly samples: number
}

export interface Answer {
  readonly milliseconds: readonly number[]
  readonly found: number
}

const { client, caller, singles } = await openDemo()
const cases = [{ name: 'no filter', filter: {} }, ...singles, ...pairsOf(singles)]
await client.end()

const answer = async ({ ask, size, samples }: Question): Promise<Answer> => {
  const { filter } = cases[ask === 'count' ? 0 : ask] ?? { filter: {} }
  const milliseconds: number[] = []
  let found = 0
  for (let sample = 0; sample < samples; sample += 1) {
    const began = performance.now()
    if (ask === 'count') found = (await countTransactions(caller, filter)) ?? 0
    else {
      const page = await listTransactions(caller, filter, { size, backward: false, sortOrder: 'DESC', cursor: null })
      found = page.items.length
    }
    milliseconds.push(performance.now() - began)
  }
  return { milliseconds, found }
}

process.on('message', (question: Question) => {
  answer(question).then(
    (result) => process.send?.(result),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => void closeDatabase())
process.send?.(cases.map(({ name }) => name))
