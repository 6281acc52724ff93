// The operator's commands, which manage platforms and their API tokens.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { API_PERMISSIONS, ENVIRONMENTS } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { StartupError } from '#core/environment.ts'
import { publicId } from '#core/ids.ts'
import { storeSettings } from '#database/connection-check.ts'
import { closeDatabase, pool } from '#database/db.ts'
import { distribute } from '#database/distribution/distribute.ts'
import { retryFailedJobs } from '#database/jobs/failed-jobs.ts'
import { migrate } from '#database/migrate.ts'
import { CUSTOMER_REPORTS, PAYMENT_REPORTS, reportCustomer, reportDeposit, reportPayment } from '#operator-reports.ts'
import { createPlatform, createPlatformToken, type IssuedToken, revokeApiToken } from '#platforms/provisioning.ts'
import { createUmaKeys, setUmaProvider } from '#uma/provisioning.ts'
import { checkMasterKey, recordMasterKey } from './master-key.ts'

const given = z.string('is required').trim()
const permissions = given
  .transform((text) => text.split(/ *, */))
  .pipe(z.array(z.enum(API_PERMISSIONS, `must be one or more of ${API_PERMISSIONS.join(',')}, separated by commas`)))
  .transform((list) => [...new Set(list)])

const codes = given.transform((text) => text.split(/ *, */).filter(Boolean))
const DOMAIN = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/** Validates the options first; the returned function does the work and returns the text to print. */
const command =
  <S extends z.ZodRawShape>(options: S, work: (given: z.output<z.ZodObject<S>>) => Promise<string>) =>
  (args: string[]) => {
    const parsed = z.object(options).safeParse(parseOptions(Object.keys(options), args))
    if (parsed.success) return () => work(parsed.data)
    const lines = parsed.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`)
    throw new StartupError([...new Set(lines)].join('\n'))
  }

const parseOptions = (names: readonly string[], args: string[]): Record<string, string | undefined> => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true }] as const))
  const { values } = explained(() => parseArgs({ args, options }))
  const repeated = names.find((name) => (values[name]?.length ?? 0) > 1)
  if (repeated !== undefined) throw new StartupError(`--${repeated} is given more than once`)
  return Object.fromEntries(names.map((name) => [name, values[name]?.[0]]))
}

/** Node explains an error in several sentences or lines, of which the first says what is wrong. */
const explained = <T>(parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    throw new StartupError(`${(error as Error).message.split(/\. |\.?\n/)[0]}. See --help.`)
  }
}

const COMMANDS = new Map([
  [
    'create-platform',
    command(
      {
        name: given.min(1, 'must not be empty'),
        environment: z.enum(ENVIRONMENTS, `must be ${ENVIRONMENTS.join(' or ')}`),
        regulated: z.enum(['true', 'false'], 'must be true or false').default('false'),
      },
      async ({ regulated, ...platform }) =>
        describe(await createPlatform({ ...platform, isRegulatedFinancialInstitution: regulated === 'true' })),
    ),
  ],
  [
    'create-token',
    command({ platform: z.uuid('must be a platform id'), permissions }, async ({ platform, permissions }) => {
      const token = await createPlatformToken(platform, permissions)
      if (!token) throw new StartupError(`There is no platform ${platform}`)
      return describe(token)
    }),
  ],
  [
    'revoke-token',
    command({ 'client-id': given }, async ({ 'client-id': clientId }) => {
      if (!(await revokeApiToken(clientId))) throw new StartupError(`There is no token with the client id ${clientId}`)
      return 'Revoked.\n'
    }),
  ],
  [
    'create-uma-keys',
    command({ platform: z.uuid('must be a platform id') }, async ({ platform }) => {
      const { domain, fingerprint } = await createUmaKeys(platform)
      return `Domain       ${domain}\nFingerprint  ${fingerprint}\n\nGive the fingerprint to the UMA providers that pay the platform or are paid by it.\n`
    }),
  ],
  [
    'set-uma-provider',
    command(
      {
        platform: z.uuid('must be a platform id'),
        domain: given.toLowerCase().regex(DOMAIN, 'must be a domain'),
        name: given.min(1, 'must not be empty'),
        fingerprint: given.toLowerCase().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
        'credit-limit': given.regex(/^\d{1,15}$/, 'must be a number of satoshis').default('0'),
        allowed: z.enum(['true', 'false'], 'must be true or false').default('true'),
        url: z.url({ protocol: /^https?$/, error: 'must be an address' }).optional(),
        currencies: codes.optional(),
        regions: codes.optional(),
        lei: given.optional(),
      },
      async ({ platform, domain, name, lei = null, ...options }) => {
        await setUmaProvider(platform, {
          domain,
          name,
          rootFingerprint: options.fingerprint,
          creditLimit: BigInt(options['credit-limit']),
          isAllowed: options.allowed === 'true',
          baseUrl: options.url ?? null,
          supportedCurrencies: options.currencies ?? [],
          supportedRegions: options.regions ?? [],
          lei,
        })
        return 'Set.\n'
      },
    ),
  ],
  ['retry-jobs', command({}, async () => `Jobs to be run again: ${await retryFailedJobs()}\n`)],
  [
    'report-customer',
    command(
      {
        platform: z.uuid('must be a platform id'),
        customer: given,
        status: z.enum(CUSTOMER_REPORTS, `must be ${CUSTOMER_REPORTS.join(' or ')}`),
      },
      async ({ platform, customer, status }) => {
        await reportCustomer(platform, customer, status)
        return `Status  ${status}\n`
      },
    ),
  ],
  [
    'report-deposit',
    command(
      {
        platform: z.uuid('must be a platform id'),
        account: given,
        amount: given.regex(/^[1-9]\d{0,15}$/, 'must be a whole number above zero').transform(BigInt),
        reference: given.min(1, 'must not be empty').max(140, 'must be at most 140 characters'),
      },
      async ({ platform, account, amount, reference }) =>
        `Transaction  ${publicId('Transaction', await reportDeposit(platform, account, amount, reference))}\n`,
    ),
  ],
  [
    'report-payment',
    command(
      {
        platform: z.uuid('must be a platform id'),
        transaction: given,
        status: z.enum(PAYMENT_REPORTS, `must be ${PAYMENT_REPORTS.join(' or ')}`),
      },
      async ({ platform, transaction, status }) => `Status  ${await reportPayment(platform, transaction, status)}\n`,
    ),
  ],
  [
    'set-connection-settings',
    command({}, async () => {
      await storeSettings()
      return 'Set. Have the pooler reconnect to the database, for example with RECONNECT in the console of PgBouncer.\n'
    }),
  ],
  [
    'distribute',
    command({}, async () => {
      await distribute(config.directDatabaseUrl, (line) => process.stdout.write(`${line}\n`))
      return 'Distributed.\n'
    }),
  ],
])

const describe = ({ platformId, permissions, clientId, secret }: IssuedToken) => `Platform     ${platformId}
Permissions  ${permissions.join(', ')}
Client id    ${clientId}
Secret       ${secret}

Keep the secret: it is not shown again, because only its hash is stored.
`

/** Throws a `StartupError`, with nothing changed, for an unknown command, invalid options or an unusable database. */
export const runCommand = async (name: string, args: string[]): Promise<void> => {
  const prepare = COMMANDS.get(name)
  if (!prepare) throw new StartupError(`Unknown command ${name}. See --help.`)
  const work = prepare(args)
  await pool.query('select 1').catch((error) => {
    throw new StartupError(`Cannot connect to DATABASE_URL: ${error.message || error.code}`)
  })
  await checkMasterKey()
  await migrate(config.directDatabaseUrl)
  await recordMasterKey()
  process.stdout.write(await work())
  await closeDatabase()
}
