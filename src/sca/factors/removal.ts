// Listing and removing second factors (docs/domain/sca.md#factors).
import type { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { uuidOf } from '#core/ids.ts'
import { idOf, parse } from '#core/input.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { ofCustomer, type Place, unlockedCustomer } from '#sca/lockout.ts'
import { type EnrolledFactorType, FACTOR_TEXTS, factorsOf, type ScaFactor } from './factor.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

export const scaRemoval = ofCustomer.extend({
  credentialId: idOf('ScaFactor').describe(FACTOR_TEXTS.credentialId),
})

/** The enrolled factors, oldest first. Needs the permission VIEW. */
export const listFactors = async (caller: PlatformCaller, customerId: unknown): Promise<readonly ScaFactor[]> => {
  requirePermission(caller, 'VIEW')
  const { customerId: id } = parse(ofCustomer, { customerId })
  return factorsOf(db, await unlockedCustomer(caller, id))
}

/** Needs the permission MANAGE. A login with the factor ends. Removing a TOTP also removes its recovery codes. */
export const removeFactor = async (caller: PlatformCaller, input: unknown): Promise<void> => {
  requirePermission(caller, 'MANAGE')
  const { customerId } = parse(ofCustomer, input)
  const customer = await unlockedCustomer(caller, customerId)
  const id = uuidOf('ScaFactor', String((input as Partial<z.input<typeof scaRemoval>>).credentialId))
  await inTransaction(async (tx) => {
    await lockCustomer(tx, caller, customer.id)
    const [factor] = (await factorsOf(tx, customer)).filter((each) => each.id === id)
    if (!factor) throw new ApiError('REFERENCE_NOT_FOUND', 'The customer has no such factor')
    await deleteFactor(tx, customer, factor.type)
  })
}

/** Deletes the factor of this type, if there is one, and ends the login. Lock the customer first. */
export const deleteFactor = async (tx: Tx, customer: Customer, type: EnrolledFactorType): Promise<void> => {
  const { platformId, id } = customer
  await tx.$executeRaw`
    delete from sca_factors
    where platform_id = ${platformId}::uuid and customer_id = ${id}::uuid and type = ${type}::sca_factor`
  if (type === 'TOTP') await deleteRecoveryCodes(tx, customer)
  await endLogin(tx, customer)
}

export const endLogin = (tx: Tx, { platformId, id }: Place) =>
  tx.$executeRaw`
    update sca_customers set authenticated_until = null where platform_id = ${platformId}::uuid and id = ${id}::uuid`
