// Serves `/metrics` on a separate port, which callers need not be able to reach.
import { createServer, type Server } from 'node:http'
import { readMetrics } from './metrics.ts'

export const createMetricsServer = (): Server =>
  createServer(
    { headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 5_000 },
    async (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
      const { type, text } = await readMetrics()
      return response.writeHead(200, { 'content-type': type }).end(text)
    },
  )
