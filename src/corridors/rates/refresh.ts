// Reads the exchange rates of production from the source that the operator chose (docs/domain/corridors.md#sources-of-rates).
import { config } from '#core/config.ts'
import { query, sql } from '#database/db.ts'
import { startCall } from '#database/jobs/calls.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { call } from '#http/outgoing/call.ts'
import { keepRates, type RateSource } from '#quotes/rates/rate-table.ts'
import { parseEcb } from './ecb.ts'

/** Names of this machine. An operator may run a source there. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** A document of the European Central Bank, or of another source in its form. */
export const urlSource = (url: string): RateSource => ({
  read: async () => {
    const { status, body, failure } = await call({
      url,
      mayBePrivate: LOCAL.includes(new URL(url).hostname),
      headers: { accept: 'application/xml, text/xml', 'user-agent': 'Paygraph-Rates/1' },
    })
    if (failure !== null || status !== 200) {
      throw new Error(`The source of exchange rates did not answer: ${failure ?? status}`)
    }
    return parseEcb(body)
  },
})

/** Two attempts before the rates are five minutes old. */
const REFRESH_AFTER_SECONDS = 3 * 60

/** Reads the source unless it was read within three minutes. A failure leaves the old rates, which are no longer used after five minutes. */
export const refreshRates = async (): Promise<void> => {
  if (!config.exchangeRates) return
  const [fresh] = await query(sql`
    select from exchange_rate_tables
    where environment = 'PRODUCTION' and read_at > now() - make_interval(secs => ${REFRESH_AFTER_SECONDS})`)
  if (fresh) return
  await keepRates('PRODUCTION', await urlSource(config.exchangeRates.url).read(), REFRESH_AFTER_SECONDS)
}

export const refreshExchangeRates: Task = {
  name: 'refreshExchangeRates',
  cron: '* * * * *',
  run: async () =>
    startCall('refreshExchangeRates', { id: 'exchange rates', server: 'exchange rates', run: refreshRates }),
}
