// An operation may keep the event loop busy for `maxMilliseconds`. While it does, other requests are served in between.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#core/caller.ts'
import { charge, remainingNodes, spend } from '#graphql/limits/budget.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

vi.hoisted(() => {
  process.env['GRAPHQL_LIMITS'] = 'maxMilliseconds=15,maxAliases=1000'
})

let hostile: Platform
let quiet: Platform
beforeAll(async () => {
  hostile = await createPlatform()
  quiet = await createPlatform()
  await createTransactions(
    hostile,
    Array.from({ length: 100 }, () => incoming()),
  )
})

/** A hundred rows, and `aliases` texts of an amount for each. */
const page = (aliases: number) => {
  const texts = Array.from({ length: aliases }, (_, n) => `a${n}: formatted(locale: "de-DE-x-${n}")`)
  return `{ transactions(first: 100) { nodes { ... on TransactionNode { id amount { ${texts.join(' ')} } } } } }`
}

const ENDED = {
  message: 'The operation took too much time. Select less, or ask for smaller pages.',
  extensions: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'MAX_MILLISECONDS', limit: 15 },
    traceId: expect.any(String),
  },
}

describe('an operation that keeps the event loop busy', () => {
  it('ends with 503 and one error, and other platforms are answered before it', async () => {
    const ends: string[] = []
    const long = ask(hostile, page(200)).then((answer) => {
      ends.push('long')
      return answer
    })
    const short = ask(quiet, '{ viewer { subject } }').then((answer) => {
      ends.push('short')
      return answer
    })
    const { status, data, errors } = await long
    expect({ status, data, errors }).toEqual({ status: 503, data: undefined, errors: [ENDED] })
    expect((await short).status).toBe(200)
    expect(ends).toEqual(['short', 'long'])
  })

  it('counts against its caller, who waits until its nodes have filled up again', async () => {
    const caller = { scheme: 'PLATFORM', tokenId: 'a token' } as Caller
    const most = remainingNodes(caller)
    charge(caller, 2 * most)
    expect(remainingNodes(caller)).toBeLessThan(0)
    expect(() => spend(caller, 1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  })

  it('and one that takes little time is answered as before', async () => {
    const { status, data } = await ask(quiet, page(1))
    expect({ status, data }).toEqual({ status: 200, data: { transactions: { nodes: [] } } })
  })
})
