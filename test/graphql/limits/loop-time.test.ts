// An operation may keep the event loop busy for `maxMilliseconds`. While it does, other requests are served in between.
// Own process: sets GRAPHQL_LIMITS.
import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import { GraphQLObjectType } from 'graphql/type/definition.js'
import { GraphQLInt } from 'graphql/type/scalars.js'
import { GraphQLSchema } from 'graphql/type/schema.js'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import type { RequestContext } from '#core/request-context.ts'
import { charge, remainingNodes, spend } from '#graphql/limits/budget.ts'
import { meterResolvers, useLoopTime } from '#graphql/limits/loop-time.ts'
import { acquireSlot } from '#http/platform-queue.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

vi.hoisted(() => {
  process.env['GRAPHQL_LIMITS'] = 'maxMilliseconds=100,maxAliases=1000,maxTokens=10000'
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

/** Selects a hundred rows, with `aliases` formatted amounts for each. */
const page = (aliases: number) => {
  const texts = Array.from({ length: aliases }, (_, n) => `a${n}: formatted(locale: "de-DE-x-${n}")`)
  return `{ transactions(first: 100) { nodes { ... on TransactionNode { id amount { ${texts.join(' ')} } } } } }`
}

const ENDED = {
  message: 'The operation took too long. Select fewer fields or smaller pages.',
  extensions: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'MAX_MILLISECONDS', limit: 100 },
    traceId: expect.any(String),
  },
}

/** Blocks the event loop for a millisecond. */
const busy = (note: () => void) => {
  const began = performance.now()
  while (performance.now() - began < 1);
  note()
  return null
}

/** Stops the event loop without using the CPU, as a machine does that runs other processes. */
const suspend = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** Executes an operation as the plugin does. */
const meter = (contextValue: object, execute: () => unknown) => {
  let run: unknown = execute
  const setExecuteFn = (metered: unknown) => {
    run = metered
  }
  const { onExecute } = useLoopTime() as unknown as { onExecute: (event: object) => void }
  onExecute({ args: { contextValue }, executeFn: execute, setExecuteFn })
  return (run as () => unknown)()
}

const schema = meterResolvers(
  new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { busy: { type: GraphQLInt, resolve: (_root, _args, { name, note }) => busy(() => note(name)) } },
    }),
  }),
)

/** Executes an operation of a platform with as many milliseconds of work, each of which is noted. */
const run = (
  name: string,
  milliseconds: number,
  note: (name: string) => void,
  see: (context: object) => void = () => {},
) => {
  const document = parse(`{ ${Array.from({ length: milliseconds }, (_, n) => `a${n}: busy`).join(' ')} }`)
  const contextValue = { name, note, caller: { scheme: 'PLATFORM', platformId: name, tokenId: name } }
  see(contextValue)
  return meter(contextValue, () => execute({ schema, document, contextValue }))
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Lets what is queued run, and a job end: a WeakRef holds its object until then. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 50))

describe('an operation that keeps the event loop busy', () => {
  it('ends with 503 and one error', async () => {
    const { status, data, errors } = await ask(hostile, page(800))
    expect({ status, data, errors }).toEqual({ status: 503, data: undefined, errors: [ENDED] })
  })

  it('pauses in between, so that the operations of other platforms continue', async () => {
    const order: string[] = []
    await Promise.all([run('first', 12, (name) => order.push(name)), run('second', 12, (name) => order.push(name))])
    expect(order.indexOf('second')).toBeLessThan(order.lastIndexOf('first'))
  })

  it('rests three times as long as it runs while a platform that uses little is being served', async () => {
    const timeOf = async () => {
      const began = performance.now()
      await run('heavy', 20, () => {})
      return performance.now() - began
    }
    // From then on it has used more than others.
    for (let turn = 0; turn < 8; turn += 1) await timeOf()
    const request = { traceId: '' } as RequestContext
    await acquireSlot(request, 'light' as PlatformId)
    // Platforms are compared at the beginning of a turn.
    await turn()
    expect(await timeOf()).toBeGreaterThan(4 * 19)
    request.releaseSlot?.()
  })

  it('is not charged for the time in which the machine does not run the process', async () => {
    let turns = 0
    const result = await run('suspended', 10, () => {
      turns += 1
      suspend(50)
    })
    expect({ turns, result }).toMatchObject({ turns: 10, result: { data: {} } })
  })

  it('leaves nothing in memory after it has ended', async () => {
    const contexts: WeakRef<object>[] = []
    const long = () => Array.from({ length: 40 }, () => busy(() => {}))
    // A function that waits can keep its last result in memory. This one ends before memory is checked.
    const endOne = async () => {
      // The first fields take too long, and the others are never resolved.
      const result = await run('ended', 5, long, (context) => contexts.push(new WeakRef(context)))
      expect(result).toMatchObject({ errors: [{ originalError: { code: 'SERVICE_UNAVAILABLE' } }] })
    }
    for (let repeat = 0; repeat < 3; repeat += 1) await endOne()
    const left = () => contexts.filter((context) => context.deref() !== undefined).length
    for (let turns = 0; turns < 100 && left() > 0; turns += 1) {
      await turn()
      collectGarbage()
    }
    expect(left()).toBe(0)
  })

  it('is charged to its caller, who then waits until the budget has refilled', async () => {
    const caller = { scheme: 'PLATFORM', platformId: randomUUID() as string, tokenId: randomUUID() as string } as Caller
    const most = remainingNodes(caller)
    charge(caller, 2 * most)
    expect(remainingNodes(caller)).toBeLessThan(0)
    expect(() => spend(caller, 1)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  })

  it('does not affect operations that take little time', async () => {
    const { status, data } = await ask(quiet, page(1))
    expect({ status, data }).toEqual({ status: 200, data: { transactions: { nodes: [] } } })
  })
})
