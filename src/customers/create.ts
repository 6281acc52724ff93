// Creating customers. The SQL works on many at once, for the CSV import.
import { randomBytes } from 'node:crypto'
import { type Environment, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { type MagicEffect, type MagicTable, outcomeOfSuffix } from '#core/magic-values.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { VerificationStatus } from '#generated/prisma/client.ts'
import { type Customer, CustomerRecord } from './customer.ts'
import { type NewCustomer, parseNewCustomer } from './new-customer.ts'
import { insertOwners } from './owners/change.ts'
import type { OwnerFields } from './owners/owner.ts'
import { sealTaxIdentifier } from './profile/tax-identifier.ts'
import { type Owner, writeStatuses } from './provisioning.ts'

/**
 * Needs the permission MANAGE. 400 as `parseNewCustomer` says, 409 `CONFLICT` for the platformCustomerId of a customer that is not deleted,
 * 409 `UMA_ADDRESS_EXISTS`. A customer that its platform or the sandbox approves at once has its accounts when this returns.
 */
export const createCustomer = async (caller: PlatformCaller, input: unknown): Promise<Customer> => {
  requirePermission(caller, 'MANAGE')
  const customer = await parseNewCustomer(caller, input)
  await inTransaction(async (tx) => {
    const [conflict] = await insertCustomers(tx, caller, [customer])
    if (conflict) throw conflict
  })
  return selectWritten(caller, CustomerRecord, customer.id)
}

/**
 * Inserts each customer that conflicts with no other, neither in the database nor earlier in the list. Returns null or the error for each. A
 * regulated platform has verified its customers. Otherwise in the sandbox the name decides (docs/domain/sandbox.md#magic-values), and in production
 * a new customer is not verified yet.
 */
export const insertCustomers = async (
  tx: Tx,
  owner: Owner,
  customers: readonly NewCustomer[],
): Promise<(ApiError | null)[]> => {
  const { platformId } = owner
  const { umaDomain, isRegulatedFinancialInstitution } = await tx.platform.findUniqueOrThrow({
    where: { id: platformId },
    select: { umaDomain: true, isRegulatedFinancialInstitution: true },
  })
  const rows = customers.map(({ id, customerType, umaAddress, ...customer }) => ({
    id,
    customer_type: customerType,
    uma_address: umaAddress ?? generatedUmaAddress(umaDomain ?? defaultDomain(platformId)),
    platform_customer_id: customer.platformCustomerId,
    name: customer.name,
    email: customer.email,
    phone_number: customer.phoneNumber,
    region: customer.region,
    currencies: customer.currencies,
    profile: customer.profile,
  }))
  const inserted = await tx.$queryRaw<{ id: string }[]>`
    insert into customers (platform_id, id, customer_type, verification_status, uma_address, platform_customer_id, name, email, phone_number,
      region, currencies, profile)
    select ${platformId}::uuid, id, customer_type, 'UNVERIFIED', uma_address, platform_customer_id, name, email, phone_number, region,
      currencies, profile
    from jsonb_populate_recordset(null::customers, ${JSON.stringify(rows)}::jsonb) on conflict do nothing returning id`
  const added = new Set(inserted.map(({ id }) => id))
  const created = customers.filter(({ id }) => added.has(id))
  await insertSecrets(tx, platformId, created)
  for (const { id, owners } of created) await insertOwners(tx, owner, id, owners.map(withNewId))
  const verified = created.map((customer) => ({
    id: customer.id,
    status: isRegulatedFinancialInstitution ? ('APPROVED' as const) : firstStatus(owner.environment, customer),
  }))
  await writeStatuses(
    tx,
    owner,
    verified.filter(({ status }) => status !== 'UNVERIFIED'),
  )
  if (created.length === customers.length) return customers.map(() => null)
  const taken = await takenIds(tx, platformId, customers)
  return customers.map(({ id, platformCustomerId }) => {
    if (added.has(id)) return null
    return taken.has(platformCustomerId)
      ? new ApiError('CONFLICT', 'Another customer has this platformCustomerId', {
          field: 'platformCustomerId',
          reason: 'PLATFORM_CUSTOMER_ID_EXISTS',
        })
      : umaAddressExists()
  })
}

const withNewId = (owner: OwnerFields) => ({ id: newUuid(), ...owner })

export const umaAddressExists = () =>
  new ApiError('UMA_ADDRESS_EXISTS', 'Another customer has this UMA address', { field: 'umaAddress' })

const takenIds = async (tx: Tx, platformId: string, customers: readonly NewCustomer[]): Promise<Set<string>> => {
  const wanted = customers.map(({ platformCustomerId }) => platformCustomerId)
  const found = await tx.$queryRaw<{ taken: string }[]>`
    select platform_customer_id as taken from customers
    where platform_id = ${platformId}::uuid and platform_customer_id = any(${wanted}) and not is_deleted`
  return new Set(found.map(({ taken }) => taken))
}

const insertSecrets = async (tx: Tx, platformId: string, customers: readonly NewCustomer[]): Promise<void> => {
  const secrets = customers.flatMap(({ id, taxIdentifier }) =>
    taxIdentifier === null ? [] : [{ id, sealed: sealTaxIdentifier(taxIdentifier, platformId, id) }],
  )
  if (secrets.length === 0) return
  await tx.customerSecrets.createMany({
    data: secrets.map(({ id, sealed }) => ({ platformId, customerId: id, taxIdentifierSealed: sealed })),
  })
}

const generatedUmaAddress = (domain: string) => `$${randomBytes(8).toString('hex')}@${domain}`

/** The UMA domain of a platform that has set no `umaDomain`. It begins with the platform's `proxyUmaSubdomain`. */
const defaultDomain = (platformId: string) => `${platformId.replaceAll('-', '')}.uma.example`

const becomes = (outcome: VerificationStatus): MagicEffect<VerificationStatus> => ({ effect: `${outcome}.`, outcome })

export const NEW_PERSONS: MagicTable<VerificationStatus> = {
  name: 'NEW_PERSON',
  place: '`fullName` of a person, when the customer is created.',
  match: 'SUFFIX',
  values: { '001': becomes('PENDING'), '002': becomes('REJECTED'), '003': becomes('UNVERIFIED') },
  otherwise: becomes('APPROVED'),
}

const firstStatus = (environment: Environment, { customerType, name }: NewCustomer): VerificationStatus => {
  // Without a name there is nothing to verify yet.
  if (environment === 'PRODUCTION' || customerType === 'BUSINESS' || name === null) return 'UNVERIFIED'
  return outcomeOfSuffix(NEW_PERSONS, name)
}
