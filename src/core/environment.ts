// Every variable of the environment: what it must be, what it means, and what it is when absent. The one list, for the start and its help.
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseTrustedProxies } from './trusted-proxies.ts'

/** Whether nobody on the way can read along: TLS, or this machine. */
const isPrivate = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** Left alone, a mailer uses STARTTLS only where it is offered, and says the password and the codes to whoever keeps quiet about it. */
const requiringTls = (address: string) => {
  const url = new URL(address)
  if (url.protocol === 'smtp:' && !isPrivate(address)) url.searchParams.set('requireTLS', 'true')
  return url.href
}

/** OpenID Connect Discovery §3. */
const isIssuer = (issuer: string) => /^https?:\/\/[^?#]+$/.test(issuer) && URL.canParse(issuer) && isPrivate(issuer)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

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
const yesOrNo = z.stringbool({ error: 'must be true or false' })

const variables = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .describe('PostgreSQL 15 or newer'),
  MASTER_KEY: z
    .string({ error: 'is missing: 32 random bytes as base64' })
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, { error: 'must be 32 bytes as base64', abort: true })
    .refine((key) => new Set(key).size >= 16, 'must be random: these 32 bytes have less than 16 different ones')
    .describe('the root of every key that the gateway derives: 32 random bytes as base64'),
  PORT: integer(0, 65_535).default(4000).describe('where to serve'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('where /metrics is served; without it nowhere, except by the demo, which serves it at PORT'),
  MAX_CONNECTIONS: integer(1, 100_000).default(2000).describe('more clients at once are turned away'),
  OVERLOAD_DELAY_MS: integer(10, 60_000)
    .default(500)
    .describe('a process that is later than this, on the average of a second, refuses requests with 503'),
  CORS_ORIGINS: list(isOrigin, 'must be origins like https://app.example, separated by commas')
    .prefault('')
    .describe('the other origins whose pages may call, separated by commas'),
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
      'the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto count: addresses and ranges separated by commas, or how many there are',
    ),
  STOP_DELAY_MS: integer(0, 5_000)
    .default(1000)
    .describe(
      'how long SIGTERM leaves a load balancer to see that /readyz is off, before no more connections are taken',
    ),
  DATABASE_POOL_SIZE: integer(1, 200)
    .default(4 * availableParallelism())
    .describe('connections to PostgreSQL, four for each core'),
  DATABASE_WAIT_MS: integer(1, 60_000)
    .default(1000)
    .describe('how long a request waits for a connection when all are in use'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'must be debug, info, warn, error or silent' })
    .default('info')
    .describe('what is written to standard error; info has a line for each request'),
  LOG_MESSAGES: yesOrNo
    .prefault('false')
    .describe('true writes the text of unexpected errors too, which may quote what callers sent: for development'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional()
    .describe('where traces go; the other variables of OpenTelemetry count too'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
    .transform(requiringTls)
    .optional()
    .describe(
      'how codes are mailed for production platforms: smtps://, or smtp:// with STARTTLS, which must be offered',
    ),
  EMAIL_FROM: z.string().includes('@', 'must be an e-mail address').optional().describe('who mails them'),
  SMS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an https:// address' })
    .refine(isPrivate, 'must be an https:// address')
    .optional()
    .describe('the same for SMS: {to, body} is posted there'),
  SMS_TOKEN: z.string().optional().describe('with this bearer token'),
  OIDC_ISSUERS: list(isIssuer, 'must be https:// addresses without query, separated by commas')
    .prefault('https://accounts.google.com,https://appleid.apple.com')
    .describe('whose identity tokens count, separated by commas'),
  GRAPHQL_JIT: yesOrNo.prefault('true').describe('false executes documents without compiling them'),
  GRAPHQL_LIMITS: z
    .string()
    .regex(/^(\w+=\d+(,|$))*$/, 'must be like maxNodes=5000,maxDepth=12')
    .transform(
      (text): Record<string, number | undefined> =>
        Object.fromEntries([...text.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)])),
    )
    .prefault('')
    .describe('what differs from the limits of documents, like maxNodes=5000,maxDepth=12'),
  TRUSTED_DOCUMENTS: z.string().optional().describe('a manifest of Relay, GraphQL Code Generator or Apollo'),
  TRUSTED_DOCUMENTS_ONLY: yesOrNo.prefault('false').describe('true executes no others'),
  GRAPHIQL: yesOrNo.prefault('false').describe('true serves GraphiQL to browsers at /graphql: for development'),
  DEMO: yesOrNo.prefault('false').describe("true opens GraphiQL with the demo's credentials and example queries"),
}

const environment = z
  .object(variables)
  .refine(({ SMTP_URL, EMAIL_FROM }) => !SMTP_URL === !EMAIL_FROM, {
    path: ['EMAIL_FROM'],
    error: 'goes with SMTP_URL',
  })
  .refine(({ SMS_URL, SMS_TOKEN }) => !SMS_URL === !SMS_TOKEN, { path: ['SMS_TOKEN'], error: 'goes with SMS_URL' })

export type Environment = z.infer<typeof environment>

/** Why there is no start: something that its operator can mend. The message is for them, and says all there is to say. */
export class StartProblem extends Error {}

/** One readable line per problem. What is set to nothing counts as absent. */
export const parseEnvironment = (
  env: NodeJS.ProcessEnv,
): { values: Environment; problems?: never } | { values?: never; problems: string[] } => {
  const { data, error } = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, text]) => text)))
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
