// The lockout of a customer after failed logins and wrong proofs (docs/domain/sca.md#lockout).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { idOf, labelOf, parse } from '#core/input.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { ensureCounters, findScaCustomer } from './customer.ts'

export const SCA_EVENTS = ['FAILED_LOGIN_ATTEMPT', 'RESET_PASSWORD_COMPLETED'] as const

/** The customer of a call. */
export const ofCustomer = z.object({ customerId: idOf('Customer').describe(CustomerRecord.texts.id) })

export const scaEvent = ofCustomer.extend({
  eventType: labelOf(SCA_EVENTS).describe('What happened.'),
})

/** The customer whose attempts are counted. */
export interface Place {
  readonly platformId: string
  readonly id: string
}

export interface Lockout {
  /** Until a password reset. */
  readonly suspended: boolean
  /** ISO 8601. Null when the customer is not locked, or suspended. */
  readonly lockedUntil: string | null
  /** In a row. */
  readonly failedAttempts: number
}

export interface RecordedScaEvent extends Lockout {
  readonly eventType: (typeof SCA_EVENTS)[number]
}

export const LOCKOUT_TEXTS = {
  suspended: 'Whether the customer is locked until a password reset. Nine failures suspend it.',
  lockedUntil: 'When the lock ends. Only for a lock that ends by itself.',
  failedAttempts: 'Failed logins and wrong proofs in a row.',
} as const

interface Row {
  readonly failed_attempts: number | null
  readonly locked_until: Date | null
}

/** The fifth failure locks for 15 minutes, and the next ones for longer. */
const LOCKED_AFTER = 5
const LOCKED_SECONDS = [15 * 60, 30 * 60, 60 * 60, 24 * 60 * 60]
const SUSPENDED_AFTER = 9

/** Reads the lockout of a customer from its row in `sca_customers`. A customer who has never failed may have no row. */
export const lockoutOf = (row: Row | undefined): Lockout => {
  const failedAttempts = row?.failed_attempts ?? 0
  return {
    suspended: failedAttempts >= SUSPENDED_AFTER,
    lockedUntil: row?.locked_until?.toISOString() ?? null,
    failedAttempts,
  }
}

const lockoutOfCustomer = async (on: Tx | typeof db, { platformId, id }: Place): Promise<Lockout> => {
  const [row] = await on.$queryRaw<Row[]>`
    select failed_attempts, case when locked_until > now() then locked_until end as locked_until
    from sca_customers where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  return lockoutOf(row)
}

const isLocked = ({ suspended, lockedUntil }: Lockout) => suspended || lockedUntil !== null

const locked = ({ suspended, lockedUntil, failedAttempts }: Lockout) =>
  new ApiError('ACCOUNT_LOCKED', 'The customer is locked after too many failures', {
    reason: 'SCA_LOCKED',
    suspended,
    ...(lockedUntil !== null && { lockedUntil }),
    failedAttempts,
  })

/** 423 `ACCOUNT_LOCKED` while the customer is locked. */
export const requireUnlocked = async (on: Tx | typeof db, place: Place): Promise<void> => {
  const lockout = await lockoutOfCustomer(on, place)
  if (isLocked(lockout)) throw locked(lockout)
}

/** Throws what `findScaCustomer` throws, and 423 `ACCOUNT_LOCKED` while the customer is locked. */
export const unlockedCustomer = async (caller: PlatformCaller, id: string): Promise<Customer> => {
  const customer = await findScaCustomer(caller, id)
  await requireUnlocked(db, customer)
  return customer
}

/**
 * Counts an attempt, or throws 423 `ACCOUNT_LOCKED`. Commit it before the proof is checked, so that concurrent attempts cannot share the
 * last one.
 */
export const consumeAttempt = async (tx: Tx, place: Place): Promise<Lockout> => {
  const { platformId, id } = place
  await ensureCounters(tx, place)
  const [row] = await tx.$queryRaw<Row[]>`
    update sca_customers set failed_attempts = failed_attempts + 1, locked_until =
      to_timestamp(extract(epoch from now())::float8 + (${LOCKED_SECONDS}::int[])[failed_attempts + 2 - ${LOCKED_AFTER}::int])
    where platform_id = ${platformId}::uuid and id = ${id}::uuid
      and failed_attempts < ${SUSPENDED_AFTER} and (locked_until is null or locked_until <= now())
    returning failed_attempts, locked_until`
  if (row) return lockoutOf(row)
  throw locked(await lockoutOfCustomer(tx, place))
}

/** Gives an attempt back that was not a failure. It was counted while the customer was not locked. */
export const giveBackAttempt = (on: Tx | typeof db, { platformId, id }: Place) =>
  on.$executeRaw`
    update sca_customers set failed_attempts = greatest(0, failed_attempts - 1), locked_until = null
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`

export const clearAttempts = (on: Tx | typeof db, { platformId, id }: Place) =>
  on.$executeRaw`
    update sca_customers set failed_attempts = 0, locked_until = null
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`

/**
 * Records what happened at the platform's own login. Needs the permission MANAGE. A failure while the customer is locked is 423
 * `ACCOUNT_LOCKED`. A password reset always clears the count.
 */
export const recordScaEvent = async (caller: PlatformCaller, input: unknown): Promise<RecordedScaEvent> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, eventType } = parse(scaEvent, input)
  const customer = await findScaCustomer(caller, customerId)
  if (eventType === 'FAILED_LOGIN_ATTEMPT') {
    return { eventType, ...(await inTransaction((tx) => consumeAttempt(tx, customer))) }
  }
  await clearAttempts(db, customer)
  return { eventType, ...lockoutOf(undefined) }
}
