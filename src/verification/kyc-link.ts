// Links that lead a customer to the verification provider (docs/domain/verification.md#kyc-link).
import { z } from 'zod'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, requireUuid } from '#core/ids.ts'
import { parse, textOf } from '#core/input.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { type RecordResult, resultOnce } from '#idempotency/idempotency.ts'
import { lockSubject } from './subject.ts'
import { requireProvider, requireUndecided } from './submit.ts'

export const kycLinkRequest = z.object({
  redirectUri: textOf(2000)
    .nullish()
    .describe(
      'Where the page sends the customer afterwards: an https:// address, in the sandbox also http://. At most 2,000 characters.',
    ),
})

/** Remembered with an idempotency key. */
const identified = kycLinkRequest.extend({ customerId: z.string() })

export const KYC_LINK_TEXTS = {
  kycUrl: 'The page on which the customer verifies its identity.',
  expiresAt: 'When the link expires.',
  provider: 'The verification provider.',
  token: "Access token for the provider's SDK.",
} as const

export interface IssuedLink {
  readonly id: string
  readonly kycUrl: string
  readonly token: string | null
  readonly expiresAt: string
}

/**
 * Makes a link for a customer that is not verified yet; with a key, once in 24 hours. Needs the permission MANAGE. Throws 404 `USER_NOT_FOUND`, 410
 * `CUSTOMER_DELETED`, 400 `INVALID_INPUT` for a customer that is approved or rejected, and 501 `NOT_IMPLEMENTED` without a provider.
 */
export const createKycLink = async (
  caller: PlatformCaller,
  customerId: string,
  body: object,
  key: string | null,
): Promise<IssuedLink> => {
  requirePermission(caller, 'MANAGE')
  const input = { ...body, customerId }
  const call = { operation: 'createKycLink', key, input, schema: identified } as const
  return resultOnce(caller, call, (record) => makeLink(caller, customerId, body, record), findLink)
}

const ownerOf = ({ platformId }: Pick<Caller, 'platformId'>, id: string) => `kyc link ${platformId} ${id}`

const makeLink = async (
  caller: PlatformCaller,
  customerId: string,
  body: object,
  record: RecordResult,
): Promise<IssuedLink> => {
  const { platformId } = caller
  const redirectUri = parse(kycLinkRequest, body).redirectUri ?? null
  if (redirectUri !== null) requireAddress(caller, redirectUri)
  const uuid = requireUuid('Customer', customerId, unknownCustomer)
  await inTransaction(async (tx) => requireUndecided(await lockSubject(tx, platformId, uuid)))
  const { kycUrl, token, secondsToLive } = await requireProvider(caller).createLink({ redirectUri })
  const id = newUuid()
  const sealed = Buffer.from(sealSecret(JSON.stringify({ kycUrl, token }), ownerOf(caller, id)))
  await inTransaction(async (tx) => {
    await tx.$executeRaw`
      insert into kyc_links (platform_id, id, customer_id, link_sealed, expires_at)
      values (${platformId}::uuid, ${id}::uuid, ${uuid}::uuid, ${sealed}, now() + make_interval(secs => ${secondsToLive}::float8))`
    await record(tx, id)
  })
  return findLink(caller, id)
}

const requireAddress = ({ environment }: PlatformCaller, redirectUri: string): void => {
  const protocol = URL.canParse(redirectUri) ? new URL(redirectUri).protocol : ''
  if (protocol === 'https:' || (protocol === 'http:' && environment === 'SANDBOX')) return
  throw invalidInput('redirectUri', 'redirectUri must be an https:// address', { format: 'url' })
}

const findLink = async (caller: Pick<Caller, 'platformId'>, id: string): Promise<IssuedLink> => {
  const [row] = await db.$queryRaw<{ sealed: Uint8Array; expiresAt: Date }[]>`
    select link_sealed as sealed, expires_at as "expiresAt" from kyc_links
    where platform_id = ${caller.platformId}::uuid and id = ${id}::uuid`
  if (!row) throw new Error('A link cannot be read back')
  const { kycUrl, token } = JSON.parse(openSecret(row.sealed, ownerOf(caller, id)).toString('utf8'))
  return { id, kycUrl, token, expiresAt: row.expiresAt.toISOString() }
}

/** Repeated calls return a link for 24 hours, even if the sandbox has advanced its expiry into the past. */
export const deleteOldKycLinks: Task = {
  name: 'deleteOldKycLinks',
  cron: '*/10 * * * *',
  run: async () => {
    await db.$executeRaw`
      delete from kyc_links where expires_at < now() - interval '1 day' and created_at < now() - interval '1 day'`
  },
}
