// Seeds missing databases, measures, and prints a table.
import { keepFigures } from './chart.ts'
import { measureCombinations } from './combinations.ts'
import { databaseOf, openServer, type Server } from './databases.ts'
import { type Growth, measureGrowth } from './growth.ts'
import { installPeers } from './peers.ts'
import { atLeast, atMost, type Line, median, tableOf } from './report.ts'
import { measureScale } from './scale/scale.ts'
import { soak } from './soak.ts'
import { measureThroughput, type Throughput } from './throughput.ts'
import { measureWrites, type Writes } from './writes.ts'
import { measureWriting, type Writing } from './writing.ts'

// One statement for the token, and one for the list with the nested rows of all types.
const STATEMENTS = 2

interface Plan {
  readonly sizes: readonly number[]
  readonly seconds: number
  /** Minutes of steady load on the first size, instead of all other measurements. */
  readonly soakMinutes: number
  /** Several gateways, many waiting jobs and Citus on the first size, instead of all other measurements. */
  readonly isOfScale: boolean
  /** Random combinations of filters at all sizes, instead of all other measurements. */
  readonly isOfLists: boolean
  /** Also compares with the peers. */
  readonly withPeers: boolean
}

export const bench = async ({ sizes, seconds, soakMinutes, isOfScale, isOfLists, withPeers }: Plan) => {
  const peersNode = withPeers ? installPeers() : null
  const server = await openServer()
  try {
    const [first = 0] = sizes
    if (soakMinutes > 0) await soak(await databaseOf(server, first), soakMinutes)
    else if (isOfScale) console.log(tableOf(await measureScale(server, first, seconds)))
    else if (isOfLists) console.log(tableOf(await measureCombinations(server, sizes)))
    else console.log(tableOf(await measure(server, sizes, seconds, peersNode)))
  } finally {
    await server.stop()
  }
}

const measure = async (server: Server, sizes: readonly number[], seconds: number, peersNode: string | null) => {
  const databases: { rows: number; url: string }[] = []
  for (const rows of sizes) databases.push({ rows, url: await databaseOf(server, rows) })
  const lines: Line[] = []
  for (const { rows, url } of databases) {
    const throughput = await measureThroughput(url, seconds, peersNode)
    if (peersNode !== null) keepFigures({ rows, bars: barsOf(throughput) })
    lines.push({ measure: `At ${rows} rows`, value: '' }, ...throughputLines(throughput))
    lines.push(...writesLines(await measureWrites(url, seconds)), ...writingLines(await measureWriting(url, seconds)))
  }
  const [small, ...larger] = databases
  for (const { rows, url } of larger) {
    if (!small) continue
    lines.push({ measure: `${rows} rows : ${small.rows} rows`, value: '' })
    lines.push(...growthLines(await measureGrowth(small.url, url)))
  }
  return lines
}

const throughputLines = ({ figure, ratio, peers, kilobytes, statements }: Throughput): Line[] => [
  atLeast('query of record : floor naive, requests/s', ratio('graphql', 'Floor'), 0.8),
  { measure: 'query of record : floor naive without token', value: ratio('graphql', 'openFloor').toFixed(2) },
  atLeast('query of record : floor planned once', ratio('graphql', 'plannedFloor'), 0.9),
  atLeast('query of record : floor that writes text', ratio('graphql', 'textFloor'), 0.9),
  ...peers.map((peer) => atLeast(`query of record : ${peer}`, ratio('graphql', peer), 1)),
  atMost('query of record : floor planned once, CPU', ratio('graphql', 'plannedFloor', 'cpu'), 1.2),
  { measure: 'query of record : floor that writes text, CPU', value: ratio('graphql', 'textFloor', 'cpu').toFixed(2) },
  ...peers.map((peer) => ({
    measure: `query of record : ${peer}, CPU`,
    value: ratio('graphql', peer, 'cpu').toFixed(2),
  })),
  { measure: 'CPU per query of record, ms', value: figure('graphql', 'cpu').toFixed(2) },
  atLeast('REST page of 50 : floor naive, requests/s', ratio('rest', 'Floor'), 0.9),
  { measure: 'REST page of 50 : floor naive without token', value: ratio('rest', 'openFloor').toFixed(2) },
  atLeast('REST page of 50 : floor planned once', ratio('rest', 'plannedFloor'), 1.2),
  atLeast('REST page of 50 : floor that writes text', ratio('rest', 'textFloor'), 0.9),
  { measure: 'CPU per REST page of 50, ms', value: figure('rest', 'cpu').toFixed(2) },
  ...['graphql', 'plannedFloor', ...peers].map((name) => ({
    measure: `memory under this load, MB: ${NAMES[name] ?? name}`,
    value: figure(name, 'memory').toFixed(0),
  })),
  { measure: 'answer to the query of record, kB', value: kilobytes.toFixed(0) },
  ...[...statements].map(([size, count]) => ({
    ...atMost(`SQL statements, ${size} rows`, count, STATEMENTS),
    value: String(count),
    budget: `≤ ${STATEMENTS}`,
  })),
]

const barsOf = ({ ratio, peers }: Throughput) =>
  ['graphql', 'textFloor', 'plannedFloor', ...peers].map((name) => ({
    name: NAMES[name] ?? name,
    ratio: ratio(name, 'graphql'),
  }))

const NAMES: Readonly<Record<string, string>> = {
  graphql: 'Paygraph',
  textFloor: 'By hand, writing text',
  plannedFloor: 'By hand, with objects',
}

const writesLines = ({ perSecond, commits, walBytes }: Writes): Line[] => {
  const of = (name: string) => perSecond.get(name) ?? Number.NaN
  const share = (name: string) =>
    atLeast(`${name} : bare transaction with the same effects`, of(name) / of(`bare ${name}`), 0.6)
  return [
    { measure: 'bare transactions/s', value: of('bare transfer').toFixed(0) },
    ...['transfer', 'quote', 'execute'].map(share),
    atLeast('signed retry : verification and two commits', of('signed retry') / of('bare signed retry'), 0.5),
    atLeast('transfers/s of one account', of('hot transfer'), 400),
    atMost('commits of a payment', commits, 6),
    atMost('WAL of a payment, kB', walBytes / 1_000, 22),
  ]
}

const writingLines = ({ ratio, payments, events, deliveries }: Writing): Line[] => [
  atLeast('payments with events : without, payments/s', ratio, 0.85),
  { measure: 'payments/s with events', value: payments.toFixed(0) },
  { measure: 'events/s of these payments', value: events.toFixed(0) },
  ...[...deliveries].map(([platforms, perSecond]) => ({
    measure: `webhooks/s by number of platforms: ${platforms}`,
    value: perSecond.toFixed(0),
  })),
]

const growthLines = ({ pages, count }: Growth): Line[] => {
  const all = [...pages]
  const pairs = all.filter(([name]) => isPair(name))
  const slow = pairs.filter(([, ratio]) => ratio > PAGE_BUDGET).sort(([, a], [, b]) => b - a)
  return [
    atMost('totalCount of the tenant', count, 2),
    ...all.filter(([name]) => !isPair(name)).map(([name, ratio]) => atMost(`page, ${name}`, ratio, PAGE_BUDGET)),
    {
      measure: `pages, ${pairs.length} pairs of filters, median`,
      value: median(pairs.map(([, ratio]) => ratio)).toFixed(2),
    },
    { ...atMost('pages, pairs over the budget', slow.length, 0), value: String(slow.length), budget: '= 0' },
    ...slow.map(([name, ratio]) => atMost(`page, ${name}`, ratio, PAGE_BUDGET)),
  ]
}

const PAGE_BUDGET = 1.2
const isPair = (name: string) => name.includes(' + ')
