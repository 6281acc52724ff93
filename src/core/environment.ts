// All environment variables with their checks, meanings and defaults. Startup and --help both read this list.
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseTrustedProxies } from './trusted-proxies.ts'

/** Whether traffic to this address is safe from being read in transit, because it uses TLS or stays on this machine. */
const isConfidential = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/**
 * By default nodemailer upgrades only if the server offers STARTTLS; an attacker who strips the offer would read the password and the
 * codes. Require it.
 */
const requiringTls = (address: string) => {
  const url = new URL(address)
  if (url.protocol === 'smtp:' && !isConfidential(address)) url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** OpenID Connect Discovery §3. */
const isIssuer = (issuer: string) =>
  /^https?:\/\/[^?#]+$/.test(issuer) && URL.canParse(issuer) && isConfidential(issuer)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

const isDatabase = (text: string) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
const confidentialUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https:// address' })
  .refine(isConfidential, 'must be an https:// address')
const integer = (min: number, max: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
const list = (isMember: (text: string) => boolean, error: string) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((member) => member.trim() || []))
    .refine((members) => members.every(isMember), error)
/** The largest GraphQL `Int`: `apiInfo.limits` publishes the limits in this type. */
const LARGEST_INT = 2 ** 31 - 1
const yesOrNo = z.stringbool({ error: 'must be true or false' })

const variables = {
  DATABASE_URL: databaseUrl.describe('PostgreSQL 15 or newer, or a pooler in front of it'),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'the same database without a pooler, for migrations, jobs and notifications; required if DATABASE_URL leads to a pooler',
    ),
  DATABASE_REPLICA_URLS: list(isDatabase, 'must be postgresql:// addresses, separated by commas')
    .prefault('')
    .describe('hot standbys of the same database, separated by commas, that serve reads; not through a pooler'),
  MASTER_KEY: z
    .string({ error: 'is required: 32 random bytes in base64' })
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, { error: 'must be 32 bytes in base64', abort: true })
    .refine((key) => new Set(key).size >= 16, 'must be random: these 32 bytes have fewer than 16 different values')
    .describe('32 random bytes in base64; every other key is derived from it, and it can never change'),
  PORT: integer(0, 65_535).default(4000).describe('the port to listen on; 0 picks a free one'),
  HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the address to listen on, such as 127.0.0.1 for programs on this machine only; if absent, all addresses',
    ),
  PUBLIC_URL: confidentialUrl
    .transform((address) => address.replace(/\/+$/, ''))
    .optional()
    .describe(
      'the address at which clients reach the gateway, for the pages that it serves; if absent, localhost at PORT',
    ),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('the port that serves /metrics; if absent, only the demo serves it, at PORT'),
  MAX_CONNECTIONS: integer(1, 100_000).default(2000).describe('connections beyond this number are closed'),
  OVERLOAD_DELAY_MS: integer(10, 60_000)
    .default(500)
    .describe('requests get 503 while the mean event loop delay over one second exceeds this'),
  CORS_ORIGINS: list(isOrigin, 'must be origins like https://app.example, separated by commas')
    .prefault('')
    .describe('other origins whose pages may call the API, separated by commas'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text, context) => {
      const isTrustedProxy = parseTrustedProxies(text)
      if (isTrustedProxy) return isTrustedProxy
      context.addIssue('must be addresses or ranges like 10.0.0.0/8, separated by commas, or the number of proxies')
      return z.NEVER
    })
    .prefault('')
    .describe(
      'the proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses and ranges separated by commas, or their number',
    ),
  STOP_DELAY_MS: integer(0, 5_000)
    .default(1000)
    .describe(
      'how long connections are still accepted after SIGTERM while /readyz fails, so that load balancers notice',
    ),
  DATABASE_POOL_SIZE: integer(1, 200)
    .default(4 * availableParallelism())
    .describe(
      'PostgreSQL connections for changes and look-ups, and as many again for lists; the default is four per core',
    ),
  DATABASE_WAIT_MS: integer(1, 60_000).default(1000).describe('how long a request waits for a free connection'),
  STREAM_CHECK_MS: integer(50, 15_000)
    .default(15_000)
    .describe('how often event streams check that their credentials are still valid'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'must be debug, info, warn, error or silent' })
    .default('info')
    .describe('the level of logs on standard error; info writes a line per request'),
  LOG_MESSAGES: yesOrNo
    .prefault('false')
    .describe('true logs the messages of unexpected errors, which may contain user input; for development only'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional()
    .describe('the OTLP endpoint for traces; the other OpenTelemetry variables apply too'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
    .transform(requiringTls)
    .optional()
    .describe('the mail server for one-time codes in production; smtp:// requires STARTTLS unless the server is local'),
  EMAIL_FROM: z.string().includes('@', 'must be an email address').optional().describe('the sender of those emails'),
  SMS_URL: confidentialUrl
    .optional()
    .describe('the SMS gateway for one-time codes in production; receives POST {to, body}'),
  SMS_TOKEN: z.string().optional().describe('the bearer token for SMS_URL'),
  END_USER_TERMS_URL: z
    .url({ protocol: /^https$/, error: 'must be an https:// address' })
    .optional()
    .describe('the terms that customers accept, for GET /customers/end-user-terms'),
  END_USER_TERMS_VERSION: z.string().max(64, 'must be at most 64 characters').optional().describe('their version'),
  EXCHANGE_RATES_URL: confidentialUrl
    .optional()
    .describe(
      'the source of exchange rates in production: XML in the format of the European Central Bank, for example https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml, which has no rate of BTC for UMA payments',
    ),
  EXCHANGE_RATES_MAX_AGE_HOURS: integer(1, 8_760)
    .default(144)
    .describe(
      'rates that were published earlier than this are refused; the longest holidays of the European Central Bank take six days',
    ),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo
    .prefault('false')
    .describe('true sends webhooks of sandbox platforms to private addresses too; for development only'),
  UMA_ALLOW_PRIVATE: yesOrNo
    .prefault('false')
    .describe(
      'true lets sandbox platforms reach UMA providers at private addresses and over http; for development only',
    ),
  OIDC_ISSUERS: list(isIssuer, 'must be https:// addresses without query, separated by commas')
    .prefault('https://accounts.google.com,https://appleid.apple.com')
    .describe('the issuers whose identity tokens are accepted, separated by commas'),
  GRAPHQL_LIMITS: z
    .string()
    .regex(/^(\w+=\d+(,|$))*$/, 'must be like maxNodes=5000,maxDepth=12')
    .transform(
      (text): Record<string, number | undefined> =>
        Object.fromEntries([...text.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)])),
    )
    .refine(
      (limits) => Object.values(limits).every((value = 0) => value <= LARGEST_INT),
      `must be numbers up to ${LARGEST_INT}`,
    )
    .prefault('')
    .describe('overrides of the GraphQL limits, for example maxNodes=5000,maxDepth=12'),
  TRUSTED_DOCUMENTS: z.string().optional().describe('a manifest of Relay, GraphQL Code Generator or Apollo'),
  TRUSTED_DOCUMENTS_ONLY: yesOrNo.prefault('false').describe('true refuses all other documents'),
  GRAPHIQL: yesOrNo.prefault('false').describe('true serves GraphiQL to browsers at /graphql; for development only'),
  CARDS: yesOrNo.prefault('true').describe('false switches cards off: they cannot be ordered, changed or shown'),
  DASHBOARD_DIRECTORY: z
    .string()
    .optional()
    .describe(
      'the folder of a built dashboard, which is then served at /, and whose documents.json is trusted; see examples/dashboard',
    ),
  DASHBOARD_CREDENTIALS: z
    .string()
    .regex(/^[^:]+:.+$/, 'must be <client id>:<secret>')
    .optional()
    .describe(
      'the credentials for calls of the dashboard from this machine, as <client id>:<secret>; for development only',
    ),
  DEMO: yesOrNo.prefault('false').describe("true opens GraphiQL with the demo's credentials and example queries"),
}

const environment = z
  .object(variables)
  .refine(({ SMTP_URL, EMAIL_FROM }) => !SMTP_URL === !EMAIL_FROM, {
    path: ['EMAIL_FROM'],
    error: 'and SMTP_URL must be set together',
  })
  .refine(({ END_USER_TERMS_URL, END_USER_TERMS_VERSION }) => !END_USER_TERMS_URL === !END_USER_TERMS_VERSION, {
    path: ['END_USER_TERMS_VERSION'],
    error: 'and END_USER_TERMS_URL must be set together',
  })
  .refine(({ SMS_URL, SMS_TOKEN }) => !SMS_URL === !SMS_TOKEN, {
    path: ['SMS_TOKEN'],
    error: 'and SMS_URL must be set together',
  })

type EnvironmentVariables = z.infer<typeof environment>

/** A problem that the operator can fix. Only the message is printed, without a stack. */
export class StartupError extends Error {}

/** `problems` holds one readable line per problem. An empty variable counts as absent, and so does a blank one, which would be 0 as a number. */
export const parseEnvironment = (
  env: NodeJS.ProcessEnv,
): { values: EnvironmentVariables; problems?: never } | { values?: never; problems: string[] } => {
  const { data, error } = environment.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim())),
  )
  return data ? { values: data } : { problems: error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) }
}

export const describeEnvironment = (): string =>
  Object.entries(variables)
    .map(([name, schema]) => `  ${name.padEnd(29)}${schema.description} (${absenceOf(schema)})`)
    .join('\n')

const absenceOf = (schema: z.ZodType) => {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return String(schema.def.defaultValue) || 'none'
  return schema instanceof z.ZodOptional ? 'none' : 'required'
}
