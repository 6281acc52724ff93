// Platforms that send the most expensive accepted documents, over two gateways, do not make the requests of another platform fail.
// Own process: needs an event loop without other work.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

const HOSTILE = Number(process.env['HOSTILE_REQUESTS'] ?? 100)
const HONEST = Math.max(8, HOSTILE / 25)
const HOSTILE_CONNECTIONS = 16
/** The attack is under way for this long before the honest requests. */
const WARM_MS = HOSTILE > 100 ? 2_000 : 200
const GATEWAYS = Number(process.env['GATEWAYS'] ?? 2)

const TEXTS = Array.from({ length: 25 }, (_, n) => `a${n}: formatted(locale: "de-DE-x-${n}")`).join(' ')
const DEAR = {
  query: `{ ${[1, 2, 3, 4].map((n) => `t${n}: transactions(first: 100) { nodes { ... on TransactionNode { id amount { ${n === 1 ? TEXTS : 'formatted'} } customer { transactions(first: 4) { nodes { ... on TransactionNode { id } } } } } } }`).join(' ')} }`,
}
const PLAIN = {
  query:
    '{ transactions(first: 20) { totalCount nodes { ... on TransactionNode { id status amount { formatted } customer { name } } } } }',
}

let gateways: readonly GatewayProcess[]
let hostile: readonly Platform[]
let honest: Platform

beforeAll(async () => {
  hostile = [await createPlatform(), await createPlatform()]
  honest = await createPlatform()
  for (const platform of [...hostile, honest]) {
    await createTransactions(
      platform,
      Array.from({ length: 120 }, () => incoming()),
    )
  }
  gateways = await Promise.all(
    Array.from({ length: GATEWAYS }, () => startGateway({ GRAPHQL_LIMITS: 'maxMilliseconds=500' })),
  )
}, 120_000)
afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())))

const ask = async (turn: number) => {
  const url = `${gateways[turn % gateways.length]?.url}/graphql`
  const headers = { 'content-type': 'application/json', authorization: basic(honest) }
  const began = performance.now()
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(PLAIN) })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - began }
}

/** One after the other. */
const sendHonest = async () => {
  const answers = []
  for (let turn = 0; turn < HONEST; turn += 1) answers.push(await ask(turn))
  return answers
}

const percentile = (answers: readonly { ms: number }[], share: number) => {
  const ascending = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return (ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? Number.NaN).toFixed(1)
}

/** Runs in a thread of its own, so that the honest client does not wait for the hostile ones. */
const ATTACK = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { urls, callers, body, least, connections } = workerData
  const statuses = new Map()
  let sent = 0
  let isOver = false
  parentPort.once('message', () => { isOver = true })
  const attack = async (authorization) => {
    while (sent < least || !isOver) {
      sent += 1
      const headers = { 'content-type': 'application/json', authorization }
      const response = await fetch(urls[sent % urls.length], { method: 'POST', headers, body })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  Promise.all(Array.from({ length: connections }, (_, index) => attack(callers[index % callers.length]))).then(() =>
    parentPort.postMessage({ sent, statuses: [...statuses] }))`

const startAttack = () => {
  const worker = new Worker(ATTACK, {
    eval: true,
    workerData: {
      urls: gateways.map(({ url }) => `${url}/graphql`),
      callers: hostile.map((platform) => basic(platform)),
      body: JSON.stringify(DEAR),
      least: HOSTILE,
      connections: HOSTILE_CONNECTIONS,
    },
  })
  const ended = once(worker, 'message')
  /** Ends after the least number of requests. */
  const end = async (): Promise<{ sent: number; statuses: [status: number, count: number][] }> => {
    worker.postMessage('end')
    return (await ended)[0]
  }
  return { end }
}

it(`${HONEST} honest requests beside ${HOSTILE} hostile ones: none fails`, { timeout: 900_000 }, async () => {
  await sendHonest()
  const alone = await sendHonest()
  const attack = startAttack()
  await wait(WARM_MS)
  const beside = await sendHonest()
  const { sent, statuses } = await attack.end()
  const figures = (answers: typeof alone) => `p50 ${percentile(answers, 0.5)} ms, p99 ${percentile(answers, 0.99)} ms`
  console.log(`honest alone: ${figures(alone)}; beside ${sent} hostile requests: ${figures(beside)}`)
  console.log(`hostile answers by status: ${statuses.map(([status, count]) => `${status} ${count}`).join(', ')}`)
  expect([...alone, ...beside].filter(({ status }) => status !== 200)).toEqual([])
  expect(sent).toBeGreaterThanOrEqual(HOSTILE)
})
