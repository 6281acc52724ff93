// The environment, parsed once. An invalid value prevents startup.
import { parseEnvironment } from './environment.ts'

const { values, problems } = parseEnvironment(process.env)
if (problems) throw new Error(`Invalid environment:\n  ${problems.join('\n  ')}`)

const { SMTP_URL, EMAIL_FROM, SMS_URL, SMS_TOKEN, END_USER_TERMS_URL, END_USER_TERMS_VERSION } = values

export const config = {
  port: values.PORT,
  /** The address to listen on, or null for all. */
  host: values.HOST ?? null,
  /** The address at which clients reach the gateway, without a slash at the end. */
  publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
  /** The port for metrics, or null if they are not served on a separate port. */
  metricsPort: values.METRICS_PORT ?? null,
  maxConnections: values.MAX_CONNECTIONS,
  /** Other origins whose pages may call the API. */
  corsOrigins: values.CORS_ORIGINS,
  /** Whether an address is one of our own proxies. */
  isTrustedProxy: values.TRUSTED_PROXIES,
  /** Requests are refused when the mean event loop delay over one second exceeds this. */
  overloadDelayMs: values.OVERLOAD_DELAY_MS,
  stopDelayMs: values.STOP_DELAY_MS,
  databaseUrl: values.DATABASE_URL,
  /** The same address, unless `databaseUrl` leads to a pooler. */
  directDatabaseUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
  /** Hot standbys that serve reads. */
  replicaUrls: values.DATABASE_REPLICA_URLS,
  /** Postgres connections. In our measurements two to four per core performed best. */
  databasePoolSize: values.DATABASE_POOL_SIZE,
  /** How long a request waits for a free connection. */
  databaseWaitMs: values.DATABASE_WAIT_MS,
  /** How often open event streams recheck the credentials of their callers. */
  streamCheckMs: values.STREAM_CHECK_MS,
  logLevel: values.LOG_LEVEL,
  /** Whether to log the messages of unexpected errors, which may contain user input. */
  logMessages: values.LOG_MESSAGES,
  hasTraces: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  /** Every other key is derived from this one. */
  masterKey: values.MASTER_KEY,
  /** Whether webhooks of sandbox platforms may go to private addresses. */
  webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
  /** The source of exchange rates in production, or null. Payments between currencies are refused there while it is null. */
  exchangeRates: values.EXCHANGE_RATES_URL
    ? { url: values.EXCHANGE_RATES_URL, maxAgeHours: values.EXCHANGE_RATES_MAX_AGE_HOURS }
    : null,
  /** Whether sandbox platforms may reach UMA providers at private addresses and over http. */
  umaAllowPrivate: values.UMA_ALLOW_PRIVATE,
  /** The issuers whose identity tokens are accepted. */
  oidcIssuers: values.OIDC_ISSUERS,
  /** Overrides of the GraphQL limits. */
  graphqlLimits: values.GRAPHQL_LIMITS,
  /** The path of a file that maps ids to trusted documents, and whether to refuse all other documents. */
  trustedDocuments: values.TRUSTED_DOCUMENTS ?? null,
  trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY,
  /** Whether /graphql serves GraphiQL to browsers. */
  graphiql: values.GRAPHIQL,
  /** Whether platforms may order and change cards. */
  hasCards: values.CARDS,
  /** Whether GraphiQL opens with the demo's credentials and example queries. */
  demo: values.DEMO,
  /** The folder of the dashboard, and the client id and secret that its calls from this machine get. */
  dashboard: { directory: values.DASHBOARD_DIRECTORY ?? null, credentials: values.DASHBOARD_CREDENTIALS ?? null },
  /** The terms that customers accept, or null. */
  endUserTerms:
    END_USER_TERMS_URL && END_USER_TERMS_VERSION ? { version: END_USER_TERMS_VERSION, url: END_USER_TERMS_URL } : null,
  /** Delivery of one-time codes to production customers. Credentials of a type cannot be created or used while its channel is null. */
  email: SMTP_URL && EMAIL_FROM ? { url: SMTP_URL, from: EMAIL_FROM } : null,
  sms: SMS_URL && SMS_TOKEN ? { url: SMS_URL, token: SMS_TOKEN } : null,
}
