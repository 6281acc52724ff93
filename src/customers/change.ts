// Changing customers by merging. The contact of a customer changes in credentials/wallet/contact.ts, which calls this.
import { z } from 'zod'
import type { PlatformCaller } from '#core/caller.ts'
import { requireUuid } from '#core/ids.ts'
import { parseChanges } from '#core/input.ts'
import { isDuplicate, type Tx } from '#database/unit-of-work.ts'
import type { Customer as CustomerRow, Prisma } from '#generated/prisma/client.ts'
import { requireSupported, usesOf } from '#platforms/settings/currencies.ts'
import { umaAddressExists } from './create.ts'
import { CustomerRecord, type CustomerType, unknownCustomer } from './customer.ts'
import { currencies, fixedFieldsOf, region, splitDetails, umaAddress } from './new-customer.ts'
import { mergeOwners } from './owners/change.ts'
import { fixedOwnerFields, type OwnerEntry, ownerEntries } from './owners/list-in-customer.ts'
import { businessChanges, individualFields, merged, type Profile } from './profile/profile.ts'
import { requireInfo } from './profile/required-info.ts'
import { checkTaxIdentifier, readTaxIdentifier, sealTaxIdentifier } from './profile/tax-identifier.ts'
import { provisionAccounts } from './provisioning.ts'

export const commonChanges = z.object({
  region,
  currencies: currencies.optional(),
  umaAddress: umaAddress.optional().describe(CustomerRecord.texts.umaAddress),
})
export const individualChanges = commonChanges.extend(individualFields.shape)
export const companyChanges = commonChanges.extend({ ...businessChanges.shape, beneficialOwners: ownerEntries })

type Changes = z.infer<typeof commonChanges> &
  Partial<z.infer<typeof individualFields>> &
  Partial<z.infer<typeof businessChanges>> & { readonly beneficialOwners?: readonly OwnerEntry[] | undefined }

/** The changes of everything but the contact. `more` is checked with them, so that all invalid fields are named together. */
export const parseCustomerChanges = <S extends z.ZodObject>(
  type: CustomerType,
  input: unknown,
  more: S,
): Changes & z.infer<S> => {
  const fixed = [...fixedFieldsOf(type), 'platformCustomerId', ...fixedOwnerFields(input, false)]
  const schema = type === 'INDIVIDUAL' ? individualChanges : companyChanges
  return parseChanges(schema.extend(more.shape), input, fixed) as Changes & z.infer<S>
}

/**
 * Merges the changes into a customer that `tx` has locked: omitted fields are kept, and null clears a field. 400 as for a new customer, 409
 * `UMA_ADDRESS_EXISTS`. An approved customer gets an account in each new currency.
 */
export const applyChanges = async (
  tx: Tx,
  caller: PlatformCaller,
  id: string,
  { beneficialOwners, ...given }: Changes,
): Promise<void> => {
  const { platformId } = caller
  if (beneficialOwners) await mergeOwners(tx, caller, id, beneficialOwners)
  const changes: Changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  if (Object.keys(changes).length === 0) return
  const key = { platformId_id: { platformId, id } }
  const { secrets, ...before } = await tx.customer.findUniqueOrThrow({ where: key, include: { secrets: true } })
  const currencies = await changedCurrencies(tx, caller, before.currencies, changes.currencies)
  const after = changedCustomer(before, { ...changes, currencies })
  const { taxIdentifier } = after
  if (changes.taxIdType && taxIdentifier === undefined) {
    checkTaxIdentifier(changes.taxIdType, await readTaxIdentifier(tx, platformId, id))
  }
  // Only the presence of the tax number matters here.
  const hasTaxNumber = taxIdentifier === undefined ? secrets !== null : taxIdentifier !== null
  const body = { ...after.body, taxIdentifier: hasTaxNumber ? '' : null }
  requireInfo(body)
  try {
    await tx.customer.update({ where: key, data: after.columns })
  } catch (error) {
    throw isDuplicate(error) ? umaAddressExists() : error
  }
  if (taxIdentifier === null) await tx.customerSecrets.deleteMany({ where: { platformId, customerId: id } })
  else if (taxIdentifier !== undefined) {
    const taxIdentifierSealed = sealTaxIdentifier(taxIdentifier, platformId, id)
    const owner = { platformId, customerId: id }
    await tx.customerSecrets.upsert({
      where: { platformId_customerId: owner },
      create: { ...owner, taxIdentifierSealed },
      update: { taxIdentifierSealed },
    })
  }
  if (before.verificationStatus === 'APPROVED') await provisionAccounts(tx, caller, [id])
}

/** The customer keeps currencies that the platform no longer supports. New ones must be supported. */
const changedCurrencies = async (
  tx: Tx,
  caller: PlatformCaller,
  before: readonly string[],
  given: readonly string[] | undefined,
): Promise<string[]> => {
  if (given === undefined) return [...before]
  await requireSupported(
    caller,
    usesOf(given).filter(({ currency }) => !before.includes(currency)),
    tx,
  )
  return [...new Set(given)]
}

/** `taxIdentifier` is undefined if it is kept, and null if it is cleared. `body` has the form of REST. */
const changedCustomer = (before: CustomerRow, changes: Changes & { readonly currencies: string[] }) => {
  const { region, currencies, umaAddress, businessInfo, fullName, taxIdentifier, ...details } = changes
  const profile = before.profile as Profile
  const { name, businessInfo: _, ...others } = { ...profile, name: before.name }
  const [fullNameBefore, legalNameBefore] = before.customerType === 'INDIVIDUAL' ? [name, null] : [null, name]
  const info = merged({ ...profile.businessInfo, legalName: legalNameBefore }, businessInfo ?? {})
  const isBusiness = before.customerType === 'BUSINESS'
  const whole = {
    ...merged({ ...others, fullName: fullNameBefore }, { ...details, fullName }),
    ...(isBusiness && { businessInfo: info }),
  }
  const stored = splitDetails({ ...whole, taxIdentifier })
  const country = stored.profile.address?.country ?? null
  // A region that was derived from the address changes with it.
  const isDerived = before.region === (profile.address?.country ?? null)
  const kept = region === undefined && !isDerived ? before.region : (region ?? country)
  const columns = {
    ...(umaAddress !== undefined && { umaAddress }),
    name: stored.name,
    profile: stored.profile as Prisma.InputJsonObject,
    currencies,
    region: kept,
  }
  const { customerType, email, phoneNumber } = before
  const body = { ...whole, customerType, currencies, address: stored.profile.address, email, phoneNumber }
  return { columns, body, taxIdentifier }
}

/** The bare uuid of the customer of this id. 404 `USER_NOT_FOUND` if it is malformed. */
export const customerUuid = (id: string): string => requireUuid('Customer', id, unknownCustomer)
