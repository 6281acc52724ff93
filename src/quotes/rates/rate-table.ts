// The exchange rates in use. They are stored in a row of the database, so that every process uses the same prices (docs/domain/corridors.md#sources-of-rates).
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { db, type Sql, sql } from '#database/db.ts'
import { time } from '#database/record.ts'
import { lookUpTogether } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import { type RateTable, SANDBOX_RATES } from './rate.ts'

/** The contents of a source of rates. */
export interface PublishedRates {
  readonly rates: RateTable
  /** When the source published them. */
  readonly publishedAt: Date
}

/** A source of rates. Throws if it cannot be read or is invalid. */
export interface RateSource {
  read(): Promise<PublishedRates>
}

/** The fixed rates, which never become stale. */
const sandboxSource: RateSource = {
  read: async () => ({ rates: SANDBOX_RATES, publishedAt: new Date(0) }),
}

export interface CurrentRates {
  readonly rates: RateTable
  /** When they were read from their source, ISO 8601. */
  readonly updatedAt: string
}

/** How long rates are used after they were read. */
const KEPT_SECONDS = 5 * 60

/** The statement of the rates that are in use. Pass its rows to `currentRates`, which otherwise reads them. */
export const selectingRates = (environment: Environment): Sql => {
  const hours = config.exchangeRates?.maxAgeHours ?? 0
  return sql`
    select rates, read_at, environment = 'PRODUCTION' and published_at <= now() - make_interval(hours => ${hours}::int)
    from exchange_rate_tables
    where environment = ${environment}::environment and read_at > now() - make_interval(secs => ${KEPT_SECONDS})`
}

/** Stores the rates, unless another process has read the source within `withinSeconds`. */
export const keepRates = async (
  environment: Environment,
  { rates, publishedAt }: PublishedRates,
  withinSeconds: number,
): Promise<void> => {
  const texts = JSON.stringify(Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, String(rate)])))
  await db.$executeRaw`
    insert into exchange_rate_tables as kept (environment, rates, published_at)
    values (${environment}::environment, ${texts}::jsonb, ${publishedAt})
    on conflict (environment) do update set rates = excluded.rates, published_at = excluded.published_at, read_at = excluded.read_at
      where extract(epoch from excluded.read_at - kept.read_at) >= ${withinSeconds}::float8`
}

/**
 * The rates of the environment, at most five minutes after they were read. Throws 501 `NOT_IMPLEMENTED` in production without a source, and
 * 400 `QUOTE_REQUEST_FAILED`, reason `RATES_STALE`, if the source could not be read for longer, or has published nothing new for too long.
 */
export const currentRates = async (environment: Environment, known?: readonly Row[]): Promise<CurrentRates> => {
  if (environment === 'PRODUCTION' && !config.exchangeRates) {
    throw new ApiError('NOT_IMPLEMENTED', 'The operator of the gateway has set no source of exchange rates')
  }
  let rows = known ?? (await readRates(environment))
  if (rows.length === 0 && environment === 'SANDBOX') {
    // Uses a connection of its own, because within the transaction of a payment it would make others wait for the row.
    await keepRates(environment, await sandboxSource.read(), KEPT_SECONDS)
    rows = await readRates(environment)
  }
  const [texts, readAt, isOld] = rows[0] ?? []
  if (!texts || !readAt || isOld === 't') {
    throw new ApiError('QUOTE_REQUEST_FAILED', 'The exchange rates are too old. Try again later.', {
      reason: 'RATES_STALE',
    })
  }
  const rates: Record<string, string> = JSON.parse(texts)
  return {
    rates: Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, BigInt(rate)])),
    updatedAt: time.decode(readAt),
  }
}

const readRates = async (environment: Environment): Promise<readonly Row[]> => {
  const [rows] = await lookUpTogether(selectingRates(environment))
  return rows
}
