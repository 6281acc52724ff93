// The environment, parsed once. A wrong value stops the start with one readable line per problem.
import { availableParallelism } from 'node:os'
import { z } from 'zod'

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
})

const parsed = environment.safeParse(process.env)
if (!parsed.success) {
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
  throw new Error(`The environment is not right:\n${problems.join('\n')}`)
}

export const config = {
  port: parsed.data.PORT,
  databaseUrl: parsed.data.DATABASE_URL,
  /** Connections to Postgres. Two to four for each core measured best. */
  databasePoolSize: parsed.data.DATABASE_POOL_SIZE,
  /** How long a request waits for a connection when all are in use. */
  databaseWaitMs: parsed.data.DATABASE_WAIT_MS,
  /** The root of every key that the gateway derives. */
  masterKey: parsed.data.MASTER_KEY,
  /** Compile each GraphQL document once. */
  graphqlJit: parsed.data.GRAPHQL_JIT,
  /** GraphiQL opens with the demo's credentials and example queries. */
  demo: parsed.data.DEMO,
}
