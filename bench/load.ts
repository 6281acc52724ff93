// Closed-loop load: so many callers, each asking again as soon as it has its answer, on connections that stay open.
import { Agent, request } from 'node:http'

export interface Target {
  readonly name: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Round {
  readonly target: Target
  readonly seconds: number
  readonly callers: number
}

const WARM_UP_SECONDS = 0.3

process.on('message', (round: Round) => {
  run(round).then(
    (perSecond) => process.send?.({ perSecond }),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

const run = async ({ target, seconds, callers }: Round): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const begin = performance.now() + WARM_UP_SECONDS * 1000
  const end = begin + seconds * 1000
  let answered = 0
  const call = async () => {
    for (;;) {
      await once(target, agent)
      const now = performance.now()
      if (now >= end) return
      if (now >= begin) answered += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  agent.destroy()
  return answered / seconds
}

const once = ({ url, method, headers, body }: Target, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume()
      response.once('end', resolve)
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })

process.send?.({})
