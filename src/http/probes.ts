// Liveness and readiness probes, served without credentials.
import { config } from '#core/config.ts'
import { readMetrics } from './metrics.ts'
import { whyNotReady } from './readiness.ts'

const json = (status: number, body: object) => Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

const PROBES: Readonly<Record<string, () => Response | Promise<Response>>> = {
  '/livez': () => json(200, { status: 'ok' }),
  '/readyz': async () => {
    const reason = await whyNotReady()
    return reason === null ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable', reason })
  },
  // Otherwise metrics are served at METRICS_PORT only, because they reveal the activity of platforms.
  ...(config.demo && {
    '/metrics': async () => {
      const { type, text } = await readMetrics()
      return new Response(text, { headers: { 'content-type': type } })
    },
  }),
}

export const probeAt = (path: string) => (Object.hasOwn(PROBES, path) ? PROBES[path] : undefined)
