// The environment, parsed once. A wrong value stops the start.
import { parseEnvironment } from './environment.ts'

const { values, problems } = parseEnvironment(process.env)
if (problems) throw new Error(`The environment is not right:\n  ${problems.join('\n  ')}`)

const { SMTP_URL, EMAIL_FROM, SMS_URL, SMS_TOKEN } = values

export const config = {
  port: values.PORT,
  maxConnections: values.MAX_CONNECTIONS,
  /** Of pages that may call from elsewhere. */
  corsOrigins: values.CORS_ORIGINS,
  /** How late the event loop may be, on the average of a second, before requests are refused. */
  overloadDelayMs: values.OVERLOAD_DELAY_MS,
  stopDelayMs: values.STOP_DELAY_MS,
  databaseUrl: values.DATABASE_URL,
  /** Connections to Postgres. Two to four for each core measured best. */
  databasePoolSize: values.DATABASE_POOL_SIZE,
  /** How long a request waits for a connection when all are in use. */
  databaseWaitMs: values.DATABASE_WAIT_MS,
  logLevel: values.LOG_LEVEL,
  /** Whether the text of unexpected errors is logged too. */
  logMessages: values.LOG_MESSAGES,
  hasTraces: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  /** The root of every key that the gateway derives. */
  masterKey: values.MASTER_KEY,
  /** Whose identity tokens count. */
  oidcIssuers: values.OIDC_ISSUERS,
  /** Compile each GraphQL document once. */
  graphqlJit: values.GRAPHQL_JIT,
  /** What differs from the limits of documents. */
  graphqlLimits: values.GRAPHQL_LIMITS,
  /** A file of documents by their ids, null without one, and whether nothing else is executed. */
  trustedDocuments: values.TRUSTED_DOCUMENTS ?? null,
  trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY,
  /** Whether browsers get GraphiQL at /graphql. */
  graphiql: values.GRAPHIQL,
  /** GraphiQL opens with the demo's credentials and example queries. */
  demo: values.DEMO,
  /** How one-time codes reach production customers. Null where they do not: then no such credential can be made or used. */
  email: SMTP_URL && EMAIL_FROM ? { url: SMTP_URL, from: EMAIL_FROM } : null,
  sms: SMS_URL && SMS_TOKEN ? { url: SMS_URL, token: SMS_TOKEN } : null,
}
