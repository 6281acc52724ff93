// What machines ask of the process itself, without credentials: whether it lives, whether it is ready, and its numbers.
import { readMetrics } from './metrics.ts'
import { whyNotReady } from './readiness.ts'

const json = (status: number, body: object) => Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

const PROBES: Readonly<Record<string, () => Response | Promise<Response>>> = {
  '/livez': () => json(200, { status: 'ok' }),
  '/readyz': async () => {
    const reason = await whyNotReady()
    return reason === null ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason })
  },
  '/metrics': async () => {
    const { type, text } = await readMetrics()
    return new Response(text, { headers: { 'content-type': type } })
  },
}

export const probeAt = (path: string) => (Object.hasOwn(PROBES, path) ? PROBES[path] : undefined)
