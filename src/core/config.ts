// The environment, parsed once. A wrong value stops the start with one readable line per problem.
import { availableParallelism } from 'node:os'
import { z } from 'zod'

/** Whether nobody on the way can read along: TLS, or this machine. */
const isPrivate = (address: string) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** OpenID Connect Discovery §3. */
const isIssuer = (issuer: string) => /^https?:\/\/[^?#]+$/.test(issuer) && URL.canParse(issuer) && isPrivate(issuer)

const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }),
  MASTER_KEY: z
    .string({ error: 'is missing: 32 random bytes as base64' })
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((key) => key.length === 32, 'must be 32 bytes as base64'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(4 * availableParallelism()),
  DATABASE_WAIT_MS: z.coerce.number().int().min(1).default(1000),
  GRAPHQL_JIT: z.stringbool().default(true),
  DEMO: z.stringbool().default(false),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  EMAIL_FROM: z.string().includes('@', 'must be an e-mail address').optional(),
  SMS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an https:// address' })
    .refine(isPrivate, 'must be an https:// address')
    .optional(),
  SMS_TOKEN: z.string().min(1).optional(),
  OIDC_ISSUERS: z
    .string()
    .default('https://accounts.google.com,https://appleid.apple.com')
    .transform((text) => text.split(',').map((issuer) => issuer.trim()))
    .refine((issuers) => issuers.every(isIssuer), 'must be https:// addresses without query, separated by commas'),
})

const parsed = environment
  .refine(({ SMTP_URL, EMAIL_FROM }) => !SMTP_URL === !EMAIL_FROM, {
    path: ['EMAIL_FROM'],
    error: 'goes with SMTP_URL',
  })
  .refine(({ SMS_URL, SMS_TOKEN }) => !SMS_URL === !SMS_TOKEN, { path: ['SMS_TOKEN'], error: 'goes with SMS_URL' })
  .safeParse(process.env)
if (!parsed.success) {
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
  throw new Error(`The environment is not right:\n${problems.join('\n')}`)
}

const { SMTP_URL, EMAIL_FROM, SMS_URL, SMS_TOKEN } = parsed.data

export const config = {
  port: parsed.data.PORT,
  databaseUrl: parsed.data.DATABASE_URL,
  /** Connections to Postgres. Two to four for each core measured best. */
  databasePoolSize: parsed.data.DATABASE_POOL_SIZE,
  /** How long a request waits for a connection when all are in use. */
  databaseWaitMs: parsed.data.DATABASE_WAIT_MS,
  /** The root of every key that the gateway derives. */
  masterKey: parsed.data.MASTER_KEY,
  /** Whose identity tokens count. */
  oidcIssuers: parsed.data.OIDC_ISSUERS,
  /** Compile each GraphQL document once. */
  graphqlJit: parsed.data.GRAPHQL_JIT,
  /** GraphiQL opens with the demo's credentials and example queries. */
  demo: parsed.data.DEMO,
  /** How one-time codes reach production customers. Null where they do not: then no such credential can be made or used. */
  email: SMTP_URL && EMAIL_FROM ? { url: SMTP_URL, from: EMAIL_FROM } : null,
  sms: SMS_URL && SMS_TOKEN ? { url: SMS_URL, token: SMS_TOKEN } : null,
}
