// A platform tries every id and string of another one in every place that takes one. Each is answered like an unknown one.
import { beforeAll, describe, expect, it } from 'vitest'
import { pool } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { bytesOf, type Reply } from '#test/setup/agents/agent-faces.ts'
import { type Crawled, type CrawledName, createCrawled, UNKNOWN_NAMES } from '#test/setup/places/crawled-platforms.ts'
import { findFitting, graphqlCalls, graphqlPlaces } from '#test/setup/places/graphql-places.ts'
import { type Call, type CallerKind, callerOf, type Place } from '#test/setup/places/places.ts'
import { restCalls, restPlaces, restRoutes } from '#test/setup/places/rest-places.ts'
import { ROUTES } from '#test/setup/places/rest-routes.ts'
import { rowsOf, uuidsIn, uuidsOf } from '#test/setup/places/stored-rows.ts'
import { useHugeQueries } from '#test/setup/settings.ts'

useHugeQueries()

const IS_FULL = process.env['CRAWL'] === 'full'

/** In CI each place gets this number of kinds of values: the next place gets the next kinds. */
const KINDS_OF_A_PLACE = 1

/** In CI every fourth place is tried with the caller's own ids. */
const EVERY_OWN = IS_FULL ? 1 : 4

/** The number of values of each kind to try in a place. The next place takes the next ones. */
const AT_ONCE = { platform: IS_FULL ? 3 : 1, agent: 2 }

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
  // A search finds the words that the crawl itself has written into descriptions and names. A name that it changed is in later answers.
  const tried = [...(await graphqlPlaces(scout, fitting)), ...restPlaces()]
  // The end of a full or last name selects what the sandbox simulates, and made-up ids have all ends.
  // The configuration, account details and links to stablecoin providers take no ids, and answer what the crawl wrote into them.
  places = tried.filter(
    ({ name }) =>
      !/filter\.search\)$|^GET \/tokens \?name$|fullName\)?$|personalInfo\.lastName/.test(name) &&
      !/^updatePlatformConfig\(|input\.accountInfo\.|tablecoin-?[Pp]rovider-?[Aa]ccounts?[( ]/.test(name),
  )
  calls = [...graphqlCalls(fitting), ...restCalls()].filter(({ name }) => name !== 'POST /stablecoin-provider-accounts')
}, 300_000)

const total = { tried: 0, leaked: 0, distinguishable: 0 }

describe("another platform's data gets the same bytes as data that does not exist", () => {
  it.each(['agent', 'platform'] as const)('called by the %s', { timeout: 600_000 }, async (kind) => {
    const found: object[] = []
    for (const [index, place] of places.entries()) {
      if (place.callers.includes(kind)) found.push(...(await crawl(place, index, kind)))
    }
    expect(found).toEqual([])
  })

  it('even if every value in a call belongs to the other platform', { timeout: 600_000 }, async () => {
    const found: object[] = []
    for (const [index, call] of calls.entries())
      for (const kind of call.callers) found.push(...(await crawlCall(call, index, kind)))
    expect(found).toEqual([])
  })

  it('enough values were tried', () => {
    const { tried, leaked, distinguishable } = total
    console.log(
      `${places.length} places, foreign values tried ${tried}, leaked ${leaked}, distinguishable ${distinguishable}`,
    )
    expect(tried).toBeGreaterThanOrEqual(IS_FULL ? 10_000 : 3 * places.length)
  })
})

it('nothing of the other platform has changed', async () => {
  const after = await rowsOf(theirs.platform)
  expect(after).toEqual(before)
  console.log(
    `${Object.keys(after).length} tables, ${Object.values(after).flat().length} rows of the other platform, changed 0`,
  )
})

/** Places that answer the same for the caller's own ids. */
const SAME_FOR_OWN = new Set([
  // No transaction has a card and an agent, or a card and an external account.
  'Agent.transactions(filter.cardId)',
  'Card.transactions(filter.agentId)',
  'ExternalAccount.transactions(filter.cardId)',
  // Credentials of the crawl have no sessions.
  'AuthMethod.sessions(filter.accountId)',
  'AuthMethod.sessions(filter.customerId)',
  // Customers of the crawl are outside SCA regions, people and without delegated keys. Files and accounts of made-up input are refused first.
  // The tests of these slices cover them.
  'delegatedKeys(filter.fundingSourceId)',
  'InternalAccount.delegatedKeys(filter.fundingSourceId)',
  'completeScaFactorReset(input.id)',
  'completeScaLogin(input.challengeId)',
  'confirmExternalAccountTrust(input.challengeId)',
  'confirmExternalAccountUntrust(input.challengeId)',
  'createBeneficialOwner(input.customerId)',
  'createDelegatedKey(input.cardId)',
  'createDelegatedKey(input.internalAccountId)',
  'createDocument(input.documentHolder)',
  'createDocument(input.uploadId)',
  'createExternalAccount(input.customerId)',
  'removeScaFactor(input.credentialId)',
  'replaceDocument(input.documentHolder)',
  'replaceDocument(input.id)',
  'replaceDocument(input.uploadId)',
  'updateCustomer(input.details.business.beneficialOwners.id)',
  // The sender of a look-up is checked first, made-up quotes go to accounts, and made-up withdrawals are of no crypto currency.
  'createQuote(input.lookupId)',
  'estimateWithdrawalFee(input.internalAccountId)',
  'lookUpExternalAccount(input.accountId)',
  'GET /receiver/external-account/:accountId :accountId',
  // Made-up input has no change, and the transactions of the crawl are only authorized.
  'simulateCardReturn(input.cardId)',
  'simulateCardReturn(input.cardTransactionId)',
  'simulateCardReturnReversal(input.cardId)',
  'simulateCardReturnReversal(input.cardTransactionId)',
  'updateCard(input.fundingSources)',
  'updateCard(input.id)',
  'POST /customers/external-accounts/:id/trust/confirm .challengeId',
  'POST /customers/external-accounts/:id/untrust/confirm .challengeId',
  'DELETE /sca/factors/:credentialId :credentialId',
  'POST /sca/login/complete .challengeId',
  'GET /sca/factors/reset/:resetId :resetId',
  'POST /sca/factors/reset/:resetId/complete :resetId',
])

it("every place that takes ids accepts the caller's own", { timeout: 600_000 }, async () => {
  const blind: string[] = []
  for (const [index, place] of places.entries()) {
    // A signed request is known only to its own operation, with a stamp. The tests of credentials cover that.
    const isExempt = place.name.endsWith('equestId)') || SAME_FOR_OWN.has(place.name)
    if (index % EVERY_OWN === 0 && place.isId && !isExempt && !(await tellsOwn(place, index))) blind.push(place.name)
  }
  expect(blind).toEqual([])
  expect([...SAME_FOR_OWN].filter((name) => !places.some((place) => place.name === name))).toEqual([])
})

it('the table of places lists every route and no other', () => {
  expect(Object.keys(ROUTES).toSorted()).toEqual(restRoutes().toSorted())
})

/** Leaks, distinguishable answers, and calls that failed. */
const crawl = async (place: Place, index: number, kind: CallerKind): Promise<object[]> => {
  const found: object[] = []
  for (const name of kindsFor(place, index)) {
    const values = valuesOf(name, index, kind)
    // Each has its own rows, so that one cannot change what the next reads.
    const answers = await Promise.all(
      [UNKNOWN_NAMES[name](), ...values].map(async (value, at) => {
        const reply = await place.ask(callerOf(ours, kind, FIRST_GROUP[kind] + at), value)
        return { value, reply, text: plain(reply, value) }
      }),
    )
    const [unknown] = answers
    for (const { value, reply, text } of answers.slice(1)) {
      const is = { leaked: leaks(reply, value), distinguishable: text !== unknown?.text, failed: isFailed(reply) }
      count(is)
      if (Object.values(is).includes(true))
        found.push({ place: place.name, value, ...is, text, unknown: unknown?.text })
    }
    if (place.isWrite) await forgetTries()
  }
  return found
}

const kindsFor = ({ takes }: Place, index: number): ReadonlySet<CrawledName> =>
  new Set(
    IS_FULL
      ? takes
      : takes
          .map((_, at) => takes[(index * KINDS_OF_A_PLACE + at) % takes.length] as CrawledName)
          .slice(0, KINDS_OF_A_PLACE),
  )

/** Groups of the other platform's values, used as if they were the caller's own. In CI every fourth: the next call takes others. */
const crawlCall = async ({ name, ask }: Call, index: number, kind: CallerKind): Promise<object[]> => {
  const found: object[] = []
  const { authorization, address } = callerOf(ours, kind, FIRST_GROUP[kind])
  const unknown = await ask({ authorization, address, own: (of) => UNKNOWN_NAMES[of]() })
  const groups = [...theirs.agents.keys()]
  for (const group of IS_FULL ? groups : groups.filter((each) => each % 4 === index % 4)) {
    const reply = await ask({ ...callerOf(theirs, kind, group), authorization })
    const is = { leaked: leaks(reply), distinguishable: plain(reply) !== plain(unknown), failed: isFailed(reply) }
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

/** Agents and platforms change different rows. */
const FIRST_GROUP = { agent: 0, platform: AT_ONCE.agent + 1 }

/** To an agent, the data of its platform's other customers is unknown too. */
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

/** Its answer says nothing about the value: the caller's credentials no longer work, or the gateway failed. */
const isFailed = ({ text }: Reply) => text.includes('API credentials') || text.includes('"INTERNAL_ERROR"')

const MADE_ANEW =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b|\$[0-9a-f]{16}@[0-9a-f]{32}|SERVICE-AGENT-\w{4}-\w{4}|\b[0-9a-f]{32,36}\b|[\w+/=-]{60,}|\bi(tx|ev)_[0-9a-f]{24}\b|ours-\d+|(?<=traceId":"|content-length: |x-position: )[^"\n]+/gi

/** The response without the value, and without the parts that differ for every call. */
const plain = (reply: Reply, value = 'nothing') =>
  bytesOf(reply).replaceAll(value, '…').replaceAll(uuidOf(value), '…').replaceAll(MADE_ANEW, '…')

/** Resets limits, which many calls would otherwise exceed. */
const forgetTries = () =>
  pool.query(`update auth_methods set challenge_times = '{}', failure_times = '{}' where platform_id = $1`, [
    ours.platform.id,
  ])

/** The number of places that accept each kind. */
const accepted = new Map<CrawledName, number>()
const acceptedIn = (name: CrawledName) => accepted.get(name) ?? 0

/** Kinds that the place's name mentions are tried first, then the most frequent ones. */
const likelihoodIn = (place: string, name: CrawledName) =>
  acceptedIn(name) + (place.toLowerCase().includes(name.toLowerCase()) ? 1_000 : 0)

/** From several groups, because an earlier place may have deleted some of the values. */
const tellsOwn = async ({ name: place, callers, takes, ask }: Place, index: number): Promise<boolean> => {
  const names = takes.toSorted((one, other) => likelihoodIn(place, other) - likelihoodIn(place, one))
  for (const kind of callers) {
    // Earlier places may have deleted what a group has.
    for (const group of scout.agents.keys()) {
      const by = callerOf(scout, kind, (index + group) % scout.agents.length)
      for (const name of names) {
        const [own, unknown] = [by.own(name), UNKNOWN_NAMES[name]()]
        if (plain(await ask(by, own), own) === plain(await ask(by, unknown), unknown)) continue
        accepted.set(name, acceptedIn(name) + 1)
        return true
      }
    }
  }
  return false
}
