// Measures the cost of an input as it grows: the gateway's CPU time and the length of the response.
import { Agent, request as open } from 'node:http'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { type HostilePlace, postJson, type WireRequest } from './places.ts'
import type { Shape } from './shapes.ts'

/** The allowed growth of CPU time at twice the size. */
export const MOST_AT_TWICE_THE_SIZE = 2.5
/** Smaller differences are noise. */
const NOISE_MS = 4
/** A high cost is measured again, because other load disturbs it. The lowest counts. */
const MEASURED_AGAIN = 6
/** A request without a response by then hangs. */
const DEADLINE_MS = 30_000

export interface Outcome {
  readonly place: string
  readonly shape: string
  /** The highest growth for a doubling of the size. Infinite if there was no response. */
  readonly ratio: number
  /** The two sizes, with both costs. */
  readonly at: string
  readonly largestMs: number
  /** Bytes of the longest response to a refused request, and what exceeded the limits. */
  readonly largestRefusal: number
  readonly tooLong: string | null
}

interface Answer {
  readonly isRefused: boolean
  readonly length: number
  readonly sent: number
}

export const KB = 1_000
const LONGEST_REFUSAL = 64 * 1_024
const LONGEST_DATA = 8 * 1_024 * 1_024

/** Documents of half a million characters together, which is the size of the cache. */
const documentsThatFillTheCache = () => {
  const fields = ['id', 'createdAt', 'customerId', 'direction', '__typename', 'status'].map((name) =>
    `${name} `.repeat(50),
  )
  const text = `{ transactions(first: 1) { nodes { ... on TransactionNode { ${fields.join('')} } } } }`
  return Array.from({ length: Math.ceil(2 ** 19 / text.length) }, (_, n) => `query Filler${n} ${text}`)
}

export class Trial {
  gateway: GatewayProcess
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 })
  requests = 0
  memoryBefore = 0

  private constructor(gateway: GatewayProcess) {
    this.gateway = gateway
  }

  static async start() {
    return new Trial(await Trial.startGateway())
  }

  /** Only the limit on nodes in a minute is not tested here. */
  private static startGateway() {
    return startGateway({ GRAPHQL_LIMITS: 'nodesPerMinute=1000000000' }, { isMeasured: true })
  }

  /** The document cache and connections fill with the first requests, and memory is compared with the level after them. */
  async warmUp(places: readonly HostilePlace[], authorization: string) {
    for (const { shapes, request } of places)
      for (const [, make] of shapes.slice(0, 1)) await this.send(request(make(KB)))
    for (const query of documentsThatFillTheCache()) {
      // The second use compiles a document.
      for (let use = 0; use < 2; use++) await this.send(postJson('/graphql', authorization, JSON.stringify({ query })))
    }
    this.memoryBefore = (await this.gateway.use('memory')).memory
  }

  /** Sizes in ascending order. */
  async run({ name, request, isData = false }: HostilePlace, shape: string, make: Shape, sizes: readonly number[]) {
    const outcome = {
      place: name,
      shape,
      ratio: 0,
      at: '',
      largestMs: 0,
      largestRefusal: 0,
      tooLong: null as string | null,
    }
    let after: { size: number; wire: WireRequest; ms: number } | undefined
    for (const size of sizes.toReversed()) {
      const wire = request(make(size))
      const measured = await this.measureWarm(wire)
      if (!measured) {
        await this.restart()
        return { ...outcome, ratio: Infinity, at: `no answer at ${size / KB} KB` }
      }
      const { answer } = measured
      let { ms } = measured
      if (after) {
        const { size: largerSize, wire: larger } = after
        const doublings = Math.log2(largerSize / size)
        const ratio = () => ((after?.ms ?? 0) / Math.max(ms, NOISE_MS)) ** (1 / doublings)
        for (let again = 0; again < MEASURED_AGAIN && ratio() > MOST_AT_TWICE_THE_SIZE; again++) {
          after.ms = Math.min(after.ms, (await this.measure(larger))?.ms ?? after.ms)
          ms = Math.min(ms, (await this.measure(wire))?.ms ?? ms)
        }
        if (ratio() > outcome.ratio) {
          outcome.ratio = ratio()
          outcome.at = `${size / KB} KB ${ms.toFixed(1)} ms, ${largerSize / KB} KB ${after.ms.toFixed(1)} ms`
        }
      }
      outcome.largestMs = Math.max(outcome.largestMs, ms)
      if (answer.isRefused) outcome.largestRefusal = Math.max(outcome.largestRefusal, answer.length)
      outcome.tooLong ??= tooLong(answer, isData)
      // From here on down, even the ratio to noise is small enough.
      if (ms <= NOISE_MS * MOST_AT_TWICE_THE_SIZE) break
      after = { size, wire, ms }
    }
    return outcome
  }

  /** The first time, code is compiled, so a high cost is measured twice. */
  private async measureWarm(wire: WireRequest) {
    const measured = await this.measure(wire)
    if (!measured || measured.ms <= NOISE_MS) return measured
    return { ...measured, ms: Math.min(measured.ms, (await this.measure(wire))?.ms ?? measured.ms) }
  }

  /** Undefined if there is no response. */
  private async measure(wire: WireRequest) {
    const before = await this.use()
    const answer = await this.send(wire)
    const after = answer && (await this.use())
    return before !== undefined && after !== undefined && answer ? { answer, ms: after - before } : undefined
  }

  private async use() {
    const ended = this.gateway.exited.then(() => undefined)
    return Promise.race([this.gateway.use('cpu').then(({ milliseconds }) => milliseconds), ended])
  }

  private async restart() {
    await this.gateway.kill()
    this.gateway = await Trial.startGateway()
  }

  send(wire: WireRequest): Promise<Answer | undefined> {
    const { method, target, headers, body } = wire
    this.requests += 1
    const { hostname, port } = new URL(this.gateway.url)
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = target.length + JSON.stringify(headers).length + Buffer.byteLength(body ?? '')
    return new Promise((resolve) => {
      const call = open(
        { hostname, port, method, path: target, headers: { ...length, ...headers }, agent: this.agent },
        (response) => {
          let received = 0
          let start = ''
          response.on('data', (chunk: Buffer) => {
            received += chunk.byteLength
            if (start.length < 40) start += chunk.toString('latin1', 0, 40)
          })
          response.on('close', () =>
            finish({ isRefused: isRefused(response.statusCode ?? 0, start), length: received, sent }),
          )
        },
      )
      const finish = (answer: Answer | undefined) => {
        clearTimeout(deadline)
        resolve(answer)
      }
      const deadline = setTimeout(() => {
        finish(undefined)
        call.destroy()
      }, DEADLINE_MS)
      // Unless the gateway itself is gone, it has refused an incomplete request or closed an idle connection.
      call.on('error', () => {
        const refused = { isRefused: true, length: 0, sent }
        const gone = this.gateway.exited.then(() => undefined)
        void Promise.race([gone, pause(200).then(() => (call.reusedSocket ? this.send(wire) : refused))]).then(finish)
      })
      call.end(body)
    })
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const isRefused = (status: number, start: string) => status >= 400 || /^\{"(errors"|data":null)/.test(start)

const tooLong = ({ isRefused, length, sent }: Answer, isData: boolean) => {
  const most = isRefused ? LONGEST_REFUSAL : isData ? LONGEST_DATA : LONGEST_REFUSAL + 10 * sent
  return length > most ? `${length} bytes to ${sent}${isRefused ? ', refused' : ''}` : null
}
