// Device codes (docs/domain/agents.md#device-codes). A person types one into the agent's software, which redeems it once for its access token.
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { lockAgent, withLists } from '#agents/lock.ts'
import type { Policy } from '#agents/policy/policy.ts'
import { DEVICE_CODE_TEXTS } from '#agents/texts.ts'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { deriveSecretKey, mac } from '#core/keys.ts'
import { query, sql } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { addDirectoryEntry, findDirectoryEntry } from '#platforms/directory.ts'
import { hashAccessToken, newAccessToken } from './access-token.ts'
import { countingAttempt } from './redeem-limit.ts'

const LIFE_SECONDS = 24 * 60 * 60
/** Letters and digits, without the look-alikes 0 O 1 I L. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE = /^SERVICE-AGENT-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/
const key = deriveSecretKey('agent device code')

export const deviceCodeRequest = z.object({ code: z.string().describe(DEVICE_CODE_TEXTS.code) })

export interface DeviceCode {
  readonly code: string
  readonly agentId: string
  readonly expiresAt: string
  readonly redeemed: boolean
}

const word = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** The code in upper case. Undefined if it is malformed. */
const normalized = (text: string): string | undefined => {
  const code = text.toUpperCase()
  return CODE.test(code) ? code : undefined
}

const macOf = (code: string) => new Uint8Array(mac(key, code))

/** Issues a code, and voids earlier ones that were not redeemed. Callers hold the lock on the agent. */
export const issueDeviceCode = async (tx: Tx, platformId: string, agentId: string): Promise<DeviceCode> => {
  await voidDeviceCodes(tx, platformId, agentId)
  const code = `SERVICE-AGENT-${word()}-${word()}`
  await addDirectoryEntry(tx, 'DEVICE_CODE', macOf(code), { platformId, id: agentId })
  const [row] = await tx.$queryRaw<{ expires_at: Date }[]>`
    insert into agent_device_codes (platform_id, id, agent_id, code_mac, expires_at)
    values (${platformId}::uuid, ${newUuid()}::uuid, ${agentId}::uuid, ${macOf(code)}, now() + make_interval(secs => ${LIFE_SECONDS}))
    returning expires_at`
  return { code, agentId, expiresAt: (row?.expires_at ?? new Date()).toISOString(), redeemed: false }
}

export const voidDeviceCodes = (tx: Tx, platformId: string, agentId: string) =>
  tx.$executeRaw`
    update agent_device_codes set voided_at = now()
    where platform_id = ${platformId}::uuid and agent_id = ${agentId}::uuid and redeemed_at is null and voided_at is null`

/** Needs the permission MANAGE. Throws 409 `CONFLICT` if the agent is already connected. */
export const createDeviceCode = (caller: PlatformCaller, agentId: string): Promise<DeviceCode> => {
  requirePermission(caller, 'MANAGE')
  return inTransaction(async (tx) => {
    const agent = await lockAgent(tx, caller, agentId)
    if (agent.isConnected) throw new ApiError('CONFLICT', 'The agent is already connected')
    return issueDeviceCode(tx, caller.platformId, agent.id)
  })
}

/** Needs the permission VIEW. Returns undefined if the platform has no such code. */
export const findDeviceCode = async (caller: Caller, text: string) => {
  requirePermission(caller, 'VIEW')
  const code = normalized(text)
  if (code === undefined) return undefined
  const [row] = await query(sql`
    select redeemed_at is not null from agent_device_codes
    where platform_id = ${caller.platformId}::uuid and code_mac = ${macOf(code)}`)
  return row && { code, redeemed: row[0] === 't' }
}

export interface Connection {
  readonly agentId: string
  readonly agentName: string
  /** Returned only here. */
  readonly accessToken: string
  readonly policy: Policy
}

/**
 * Needs no credentials. Throws 429 `RATE_LIMITED` after ten attempts per client address and minute, 404 for an unknown code, and 400
 * `INVALID_INPUT` for a code that was redeemed or voided or has expired. Only one of two concurrent calls succeeds.
 */
export const redeemDeviceCode = (clientAddress: string | null, text: string): Promise<Connection> =>
  countingAttempt(clientAddress, () => redeem(text))

const redeem = async (text: string): Promise<Connection> => {
  const code = normalized(text)
  const place = code === undefined ? undefined : await findDirectoryEntry('DEVICE_CODE', macOf(code))
  if (!place || code === undefined) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such device code')
  const accessToken = newAccessToken()
  const accessTokenHash = new Uint8Array(hashAccessToken(accessToken))
  const agent = await inTransaction(async (tx) => {
    await tx.$queryRaw`select 1 from agents where platform_id = ${place.platformId}::uuid and id = ${place.id}::uuid for no key update`
    const ofCode = sql`platform_id = ${place.platformId}::uuid and code_mac = ${macOf(code)}`
    const [open] = await tx.$queryRaw<unknown[]>`
      select 1 from agent_device_codes
      where ${ofCode} and redeemed_at is null and voided_at is null and expires_at > clock_timestamp() for no key update`
    if (!open) {
      throw new ApiError('INVALID_INPUT', 'The device code was redeemed or replaced, or has expired', { field: 'code' })
    }
    await tx.$executeRaw`update agent_device_codes set redeemed_at = now() where ${ofCode}`
    await addDirectoryEntry(tx, 'AGENT', accessTokenHash, place)
    return tx.agent.update({
      where: { platformId_id: place, deletedAt: null },
      data: { accessTokenHash, isConnected: true },
    })
  })
  return { agentId: agent.id, agentName: agent.name, accessToken, policy: withLists(agent) }
}
