// A plan answers a query byte for byte like the ordinary executor, or leaves the query to that executor.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type DocumentNode, type GraphQLObjectType, parse } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import { validate } from 'graphql/validation/validate.js'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { authenticate } from '#authenticate.ts'
import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { bytesOfUtf8Json } from '#core/utf8-json.ts'
import type { Context } from '#graphql/builder.ts'
import { planOf } from '#graphql/compiled/plan.ts'
import { schema } from '#schema.ts'
import { createEveryTransaction } from '#test/setup/every-transaction.ts'
import { ask, basic } from '#test/setup/faces.ts'
import { type RandomQuery, randomQuery, type Values } from '#test/setup/fuzz/random-queries.ts'
import { type Crawled, createCrawled } from '#test/setup/places/crawled-platforms.ts'
import { NODES } from '#test/setup/places/mirrored-platforms.ts'
import { sentBy } from '#test/setup/sent-statements.ts'
import { createPlatform } from '#test/setup/world.ts'

const RUNS = Number(process.env['RANDOM_DOCUMENTS'] ?? 100)

/** Text that JSON has to escape, and text that it need not. */
const STRANGE = 'Zoë "Z"\\/\n\t\u0001 \u2028 😀 \u007f'

let callers: Caller[]
let values: Values

beforeAll(async () => {
  const crowded = await createCrawled('x')
  await createEveryTransaction(crowded.platform, STRANGE)
  const [others, empty] = [await createPlatform(), await createPlatform()]
  await createEveryTransaction(others, 'plain')
  const withoutView = await createPlatform(['MANAGE'])
  const authorizations = [
    ...[crowded.platform, crowded.platform, others, empty, withoutView].map(basic),
    ...crowded.agents.slice(0, 2).map(String),
  ]
  const found = await Promise.all(authorizations.map((authorization) => authenticate(new Headers({ authorization }))))
  callers = found.filter((caller) => caller !== null)
  values = valuesOf(crowded)
}, 300_000)

const valuesOf = ({ names }: Crawled): Values => {
  const ids = NODES.flatMap((kind) => names[kind])
  const ofEveryKind = NODES.map((kind) => names[kind][0] ?? '')
  const asCardUse = (id: string) => id.replace(/^Transaction/, 'CardTransaction')
  const transactionIds = [...names.Transaction, ...names.CardTransaction]
  const misnamed = [...names.Transaction.map(asCardUse), 'Transaction:1']
  return {
    'node.id': [...ids, ...misnamed.slice(-3), publicId('Request', randomUUID())],
    'nodes.ids': [names.Customer, transactionIds, ofEveryKind, [...ofEveryKind, ...ofEveryKind], misnamed],
    'transaction.id': [...transactionIds, ...misnamed.slice(-3), names.Customer[0]],
    'customer.by': [
      ...names.Customer.map((id) => ({ id })),
      ...[...names.platformCustomerId, 'unknown'].map((platformCustomerId) => ({ platformCustomerId })),
      { id: names.Transaction[0] },
    ],
    'agentDeviceCode.code': ['ABCD-EFGH'],
    'queryCost.document': ['{ apiInfo { version } }'],
    after: names.cursor,
    before: names.cursor,
  }
}

const contextOf = (caller: Caller): Context => ({
  caller,
  loaders: new Map(),
  traceId: randomUUID(),
  request: new Request('http://test/graphql'),
  clientAddress: () => null,
  answerHeaders: new Map(),
})

interface Answers {
  /** `data` as JSON, if the plan produced it. */
  readonly planned: string | undefined
  readonly isPlanned: boolean
  readonly expected: string
  readonly errors: readonly string[]
}

const answersTo = async (caller: Caller, { query, variables }: RandomQuery): Promise<Answers> => {
  const document: DocumentNode = parse(query)
  const ask = { schema, document, variableValues: variables }
  const plan = planOf(ask)
  let failure: unknown
  const planned = await plan?.(contextOf(caller)).catch((error: unknown) => {
    failure = error
    return undefined
  })
  const { data, errors = [] } = await execute({ ...ask, contextValue: contextOf(caller) })
  if (failure && errors.length === 0) throw new Error(`The plan failed at\n${query}`, { cause: failure })
  return {
    planned: planned === undefined ? undefined : bytesOfUtf8Json(planned).toString(),
    isPlanned: plan !== undefined,
    expected: JSON.stringify(data),
    errors: errors.map(({ message }) => message),
  }
}

/** Whether the field has a compiled writer, or belongs to a value type, whose fields need none. */
const isDeclared = (typeName: string, fieldName: string): boolean => {
  const type = schema.getType(typeName) as GraphQLObjectType
  const fields = type.getFields()
  const says = (name: string) => fields[name]?.extensions['compile'] !== undefined
  if (says(fieldName) || fields[fieldName]?.extensions['pothosExposedField'] !== undefined) return true
  const isRow = type.getInterfaces().some(({ name }) => name === 'Node') || Object.keys(fields).some(says)
  return typeName !== 'Query' && !isRow
}

const compare = async (isAsked: (type: string, field: string) => boolean, runs: number) => {
  const totals = { answered: 0, byPlan: 0, failed: 0, bytes: 0 }
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (choose) => {
      const select = (possibilities: number) => choose(fc.nat, { max: possibilities - 1 })
      const asked = randomQuery(select, values, isAsked)
      if (validate(schema, parse(asked.query)).length > 0) return
      const caller = callers[select(callers.length)] as Caller
      const { planned, isPlanned, expected, errors } = await answersTo(caller, asked)
      if (isPlanned && errors.length > 0) totals.failed += 1
      totals.answered += 1
      if (planned === undefined) return
      totals.byPlan += 1
      totals.bytes += planned.length
      expect({ asked, errors, answer: planned }).toEqual({ asked, errors: [], answer: expected })
    }),
    { numRuns: runs, seed: 20_261_122, endOnFailure: true },
  )
  console.log(
    `${runs} documents: ${totals.answered} valid, ${totals.byPlan} answered by plans (${totals.bytes} bytes), ${totals.failed} plans left to the ordinary executor with errors`,
  )
  return totals
}

describe('random documents', () => {
  it('of fields that say how they are written are answered by plans', { timeout: 3_600_000 }, async () => {
    const { answered, byPlan, failed } = await compare(isDeclared, RUNS)
    expect(byPlan + failed).toBe(answered)
    expect(byPlan).toBeGreaterThan(answered / 3)
  })

  it('of any fields are answered alike', { timeout: 3_600_000 }, async () => {
    const { byPlan } = await compare(() => true, RUNS)
    expect(byPlan).toBeGreaterThan(0)
  })
})

it('a plan that fails is logged, and the ordinary executor answers', async () => {
  const platform = await createPlatform()
  const { query } = pg.Client.prototype
  let fault: Error | undefined
  const statements = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const finished = given.at(-1)
    const isPage = sentBy(given[0]).some(({ text }) => text.includes('transactions'))
    if (!fault || !isPage || typeof finished !== 'function') return Reflect.apply(query, this, given)
    const failure = fault
    fault = undefined
    setImmediate(() => finished(failure))
  } as typeof query)
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    statements.mockRestore()
    log.mockRestore()
  })
  for (const one of [new TypeError('A fault in the plan'), Object.assign(new Error(), { code: 'ECONNRESET' })]) {
    fault = one
    const { data } = await ask(platform, '{ transactions(first: 1) { nodes { id } } }')
    expect({ data, fault }).toEqual({ data: { transactions: { nodes: [] } }, fault: undefined })
  }
  // An outage is not the plan's fault.
  const failures = log.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ event }) => event === 'failure')
  expect(failures).toMatchObject([{ name: 'TypeError', traceId: expect.any(String) }])
})
