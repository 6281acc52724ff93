// A platform tries every id and word of another, wherever the schema and the routes take one: each is answered like one that nobody has.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { pool } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { bytesOf, type Reply } from '#test/setup/agents/agent-faces.ts'
import { type Crawled, type CrawledName, createCrawled, UNKNOWN_NAMES } from '#test/setup/places/crawled-platforms.ts'
import { findFitting, graphqlCalls, graphqlPlaces } from '#test/setup/places/graphql-places.ts'
import { type Call, type CallerKind, callerOf, type Place } from '#test/setup/places/places.ts'
import { ROUTES, restCalls, restPlaces, restRoutes } from '#test/setup/places/rest-places.ts'
import { rowsOf, uuidsIn, uuidsOf } from '#test/setup/places/stored-rows.ts'

// The questions are as large as the schema, and as many in a minute as nobody may ask.
vi.hoisted(() => {
  const names = [
    'maxTokens',
    'maxDepth',
    'maxFields',
    'maxRepeats',
    'maxAliases',
    'maxNesting',
    'maxNodes',
    'nodesPerMinute',
  ]
  Object.assign(process.env, { GRAPHQL_LIMITS: names.map((name) => `${name}=1000000000`).join(), GRAPHQL_JIT: 'false' })
})

/** Of each kind in each place; the next place takes the next ones. */
const AT_ONCE = { platform: 3, agent: 2 }

let ours: Crawled
let theirs: Crawled
let scout: Crawled
let before: Record<string, string[]>
let theirIds: ReadonlySet<string>
let places: readonly Place[]
let calls: readonly Call[]

beforeAll(async () => {
  ours = await createCrawled('ours')
  theirs = await createCrawled('theirs')
  scout = await createCrawled('scout')
  before = await rowsOf(theirs.platform)
  const known = uuidsIn(await rowsOf(ours.platform))
  theirIds = new Set([...uuidsIn(before)].filter((id) => !known.has(id)))
  const fitting = await findFitting(scout)
  places = [...(await graphqlPlaces(scout, fitting)), ...restPlaces()]
  calls = [...graphqlCalls(fitting), ...restCalls()]
})

const total = { tried: 0, leaked: 0, distinguishable: 0 }

describe('what another platform has is answered like what nobody has, to the byte', () => {
  it.each(['agent', 'platform'] as const)('to the caller: %s', { timeout: 600_000 }, async (kind) => {
    const found: object[] = []
    for (const [index, place] of places.entries()) {
      if (place.callers.includes(kind)) found.push(...(await crawl(place, index, kind)))
    }
    expect(found).toEqual([])
  })

  it('also when a call names nothing but what is another’s', { timeout: 600_000 }, async () => {
    const found: object[] = []
    for (const call of calls) for (const kind of call.callers) found.push(...(await crawlCall(call, kind)))
    expect(found).toEqual([])
  })

  it('and that was tried often', () => {
    const { tried, leaked, distinguishable } = total
    console.log(
      `${places.length} places, ids and words of another tried ${tried}, leaked ${leaked}, distinguishable ${distinguishable}`,
    )
    expect(tried).toBeGreaterThanOrEqual(10_000)
  })
})

it('nothing of the other platform has changed', async () => {
  const after = await rowsOf(theirs.platform)
  expect(after).toEqual(before)
  console.log(`${Object.keys(after).length} tables, ${Object.values(after).flat().length} rows of the other, changed 0`)
})

it('every place that takes ids tells the caller’s own from unknown ones', { timeout: 600_000 }, async () => {
  const blind: string[] = []
  for (const [index, place] of places.entries()) {
    if (place.isId && !(await tellsOwn(place, index))) blind.push(place.name)
  }
  // A request is known to its own operation alone, with a stamp: that is tried with the credentials.
  expect(blind.filter((name) => !name.endsWith('equestId)'))).toEqual([])
})

it('every route is in the table, and no other', () => {
  expect(Object.keys(ROUTES).toSorted()).toEqual(restRoutes().toSorted())
})

/** What was leaked, could be told apart, or was not even let in. */
const crawl = async (place: Place, index: number, kind: CallerKind): Promise<object[]> => {
  const found: object[] = []
  for (const name of place.takes) {
    const values = valuesOf(name, index, kind)
    // Each with rows of its own, that what one changes is not met by the next.
    const answers = await Promise.all(
      [UNKNOWN_NAMES[name](), ...values].map(async (value, at) => {
        const reply = await place.ask(callerOf(ours, kind, FIRST_GROUP[kind] + at), value)
        return { value, reply, text: plain(reply, value) }
      }),
    )
    const [unknown] = answers
    for (const { value, reply, text } of answers.slice(1)) {
      const is = { leaked: leaks(reply, value), distinguishable: text !== unknown?.text, stopped: isStopped(reply) }
      count(is)
      if (Object.values(is).includes(true))
        found.push({ place: place.name, value, ...is, text, unknown: unknown?.text })
    }
    if (place.isWrite) await forgetTries()
  }
  return found
}

/** Every group of the other platform, as if it were the caller's own. */
const crawlCall = async ({ name, ask }: Call, kind: CallerKind): Promise<object[]> => {
  const found: object[] = []
  const { authorization, address } = callerOf(ours, kind, FIRST_GROUP[kind])
  const unknown = await ask({ authorization, address, own: (of) => UNKNOWN_NAMES[of]() })
  for (const group of theirs.agents.keys()) {
    const reply = await ask({ ...callerOf(theirs, kind, group), authorization })
    const is = { leaked: leaks(reply), distinguishable: plain(reply) !== plain(unknown), stopped: isStopped(reply) }
    count(is)
    if (Object.values(is).includes(true))
      found.push({ call: name, group, ...is, text: reply.text, unknown: unknown.text })
    await forgetTries()
  }
  return found
}

const count = (is: { readonly leaked: boolean; readonly distinguishable: boolean }) => {
  total.tried += 1
  total.leaked += Number(is.leaked)
  total.distinguishable += Number(is.distinguishable)
}

/** Agents and platforms do not change the same rows. */
const FIRST_GROUP = { agent: 0, platform: AT_ONCE.agent + 1 }

/** To an agent what its platform has for another customer is as unknown. */
const valuesOf = (name: CrawledName, place: number, kind: CallerKind): string[] => {
  const foreign = theirs.names[name]
  const values = Array.from(
    { length: AT_ONCE[kind] },
    (_each, at) => foreign[(place * AT_ONCE[kind] + at) % foreign.length] ?? '',
  )
  return kind === 'platform' ? values : [...values.slice(1), ...ours.names[name].slice(-1)]
}

const leaks = ({ text }: Reply, value = 'nothing') =>
  uuidsOf(text).some((id) => theirIds.has(id) && id !== uuidOf(value)) || text.replaceAll(value, '').includes('theirs-')

const isStopped = ({ text }: Reply) => text.includes('API credentials')

const MADE_ANEW =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b|SERVICE-AGENT-\w{4}-\w{4}|[\w+/=-]{60,}|ours-\d+|(?<=traceId":"|content-length: )[^"\n]+/gi

/** The answer without the value, and without what differs from call to call. */
const plain = (reply: Reply, value = 'nothing') =>
  bytesOf(reply).replaceAll(value, '…').replaceAll(uuidOf(value), '…').replaceAll(MADE_ANEW, '…')

/** Otherwise it would soon be too many of them. */
const forgetTries = () =>
  pool.query(`update auth_methods set challenge_times = '{}', failure_times = '{}' where platform_id = $1`, [
    ours.platform.id,
  ])

/** Of several groups, because some may be without what an earlier place has taken away. */
const tellsOwn = async ({ callers, takes, ask }: Place, index: number): Promise<boolean> => {
  for (const kind of callers) {
    for (const name of takes) {
      for (const group of [index, index + 1, index + 2]) {
        const by = callerOf(scout, kind, group % scout.agents.length)
        const [own, unknown] = [by.own(name), UNKNOWN_NAMES[name]()]
        if (plain(await ask(by, own), own) !== plain(await ask(by, unknown), unknown)) return true
      }
    }
  }
  return false
}
