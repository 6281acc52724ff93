// Any input gets a valid response over GraphQL and REST: no internal error, no unknown shape, nothing about the internals.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { pool } from '#database/db.ts'
import { fuzzedGraphQL } from '#test/setup/fuzz/graphql.ts'
import { judge } from '#test/setup/fuzz/oracle.ts'
import { fuzzedCredential, fuzzedHeaders, send } from '#test/setup/fuzz/requests.ts'
import { fuzzedRest } from '#test/setup/fuzz/rest.ts'
import { type Choose, isChosen } from '#test/setup/fuzz/values.ts'
import { type Crawled, createCrawled } from '#test/setup/places/crawled-platforms.ts'
import { type FittingByMutation, findFitting } from '#test/setup/places/graphql-places.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'

// The runs exceed the budget of a minute, and full selections have many aliases.
useGraphQLLimits({ maxAliases: 1_000, nodesPerMinute: 1_000_000_000 })

/** The full campaign sets 100,000. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_251_121)
const AT_ONCE = 8
/** The data that the runs delete and spend is renewed after this number. */
const RUNS_OF_A_WORLD = 4_000

let world: Crawled
let fitting: FittingByMutation

beforeAll(async () => {
  world = await createCrawled('world')
  fitting = await findFitting(await createCrawled('scout'))
}, 300_000)

it(`${RUNS} requests with seed ${SEED} get valid responses`, { timeout: 7_200_000 }, async () => {
  const codes = new Map<string, number>()
  const statuses = new Map<number, number>()
  const total = { sent: 0, graphql: 0, atTheDoor: 0 }
  const started = performance.now()
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (choose) => {
      const inputs = Array.from({ length: AT_ONCE }, () => inputOf(choose))
      const verdicts = await Promise.all(
        inputs.map(async ({ request, credential }) => {
          const sent = await send(world, request, credential)
          return sent && { request, credential, sent, verdict: judge(world, request, credential, sent) }
        }),
      )
      for (const each of verdicts) {
        if (!each) continue
        const { request, credential, sent, verdict } = each
        const shown = {
          ...request,
          credential: credential.kind,
          sent: sent.sent.slice(0, 4_000),
          status: sent.status,
          text: sent.text.slice(0, 4_000),
        }
        expect({ wrong: verdict.wrong, ...shown }).toEqual({ wrong: [], ...shown })
        total.sent += 1
        total.graphql += Number(request.face === 'graphql')
        total.atTheDoor += Number(verdict.codes.some((code) => DOOR.includes(code)))
        statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1)
        for (const code of new Set(verdict.codes)) codes.set(code, (codes.get(code) ?? 0) + 1)
      }
      await renew(total.sent)
    }),
    { numRuns: Math.ceil(RUNS / AT_ONCE), seed: SEED, endOnFailure: true },
  )
  const seconds = (performance.now() - started) / 1_000
  console.log(
    `seed ${SEED}: ${total.sent} requests (${total.graphql} GraphQL) in ${seconds.toFixed(0)} s, faults 0, other shapes 0, leaks 0; ` +
      `${total.atTheDoor} stopped at the door\nstatuses ${listed(statuses)}\n${codes.size} codes: ${listed(codes)}`,
  )
  expect(total.sent).toBeGreaterThan(RUNS * 0.9)
  expect(total.atTheDoor / total.sent).toBeLessThan(0.3)
  expect(codes.size).toBeGreaterThanOrEqual(15)
})

/** Callers with invalid credentials, and requests that neither API accepts. */
const DOOR = ['UNAUTHORIZED', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED']

const inputOf = (choose: Choose) => {
  const request = isChosen(choose, 55) ? fuzzedGraphQL(choose, fitting) : fuzzedRest(choose)
  const isOfAgents = request.target.includes('/agents/me') || /agent(Execute|Transfer)/.test(request.body ?? '')
  const headers = { ...request.headers, ...fuzzedHeaders(choose) }
  return { request: { ...request, headers }, credential: fuzzedCredential(choose, isOfAgents) }
}

let worlds = 1

/** Limits are per credential: with the same ones, most runs would soon hit a limit. */
const renew = async (sent: number) => {
  if (sent >= worlds * RUNS_OF_A_WORLD) {
    world = await createCrawled(`world${worlds}`)
    worlds += 1
  }
  const { id } = world.platform
  await pool.query(`update auth_methods set challenge_times = '{}', failure_times = '{}' where platform_id = $1`, [id])
}

const listed = (counts: ReadonlyMap<string | number, number>) =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
