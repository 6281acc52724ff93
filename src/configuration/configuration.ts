// The settings of a platform. Each part belongs to a slice. This folder puts the parts together
// (docs/domain/platform.md#configuration).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { parseChanges, textOf } from '#core/input.ts'
import { query, sql } from '#database/db.ts'
import { type RecordOf, record, text, time } from '#database/record.ts'
import { findEndpoint, replaceEndpoint, type WebhookEndpoint } from '#webhooks/endpoint.ts'

export const PlatformConfigRecord = record('platforms', {
  id: text.describe('`PlatformConfig:<uuid>`.'),
  createdAt: time.describe('When the platform was created.'),
  updatedAt: time.describe('When the platform was last changed.'),
})

export interface Configuration {
  readonly platform: RecordOf<typeof PlatformConfigRecord>
  readonly endpoint: WebhookEndpoint | null
}

/** Needs the permission VIEW. */
export const readConfiguration = async (caller: PlatformCaller): Promise<Configuration> => {
  requirePermission(caller, 'VIEW')
  return findConfiguration(caller)
}

const findConfiguration = async (caller: PlatformCaller): Promise<Configuration> => {
  const [[row], endpoint] = await Promise.all([
    query(sql`
      select ${PlatformConfigRecord.columns} from ${PlatformConfigRecord.table} t where t.id = ${caller.platformId}::uuid`),
    findEndpoint(caller),
  ])
  if (!row) throw new Error('The platform of the caller is gone')
  return { platform: PlatformConfigRecord.read(row), endpoint }
}

export const configurationChanges = z.object({
  webhookEndpoint: textOf(2000)
    .nullable()
    .optional()
    .describe(
      'The address that receives events: https://, in the sandbox also http://, port 443 (80) or at least 1024, reachable from the internet. Setting it sends the event `TEST`. Null removes it.',
    ),
})

const FIXED_FIELDS = [
  'id',
  'proxyUmaSubdomain',
  'webhookSigningPublicKey',
  'webhookNextSigningPublicKey',
  'webhookSecret',
  'isRegulatedFinancialInstitution',
  'createdAt',
  'updatedAt',
]

/** Omitted fields are kept. Needs the permission MANAGE. Returns the secret of a new endpoint once. */
export const changeConfiguration = async (
  caller: PlatformCaller,
  input: unknown,
): Promise<Configuration & { readonly webhookSecret: string | null }> => {
  requirePermission(caller, 'MANAGE')
  const { webhookEndpoint } = parseChanges(configurationChanges, input, FIXED_FIELDS)
  const set =
    webhookEndpoint === undefined ? null : await replaceEndpoint(caller, webhookEndpoint, { field: 'webhookEndpoint' })
  return { ...(await findConfiguration(caller)), webhookSecret: set?.secret ?? null }
}
