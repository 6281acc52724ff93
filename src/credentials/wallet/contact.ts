// A customer's email address and phone number, and the credentials that are tied to them (docs/domain/customers.md#customer-contact).
import { z } from 'zod'
import { emailAddress, requirePublicDomain } from '#core/addresses/email.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { labelOf, parse } from '#core/input.ts'
import { ADDRESSES, type OtpType } from '#credentials/kinds/otp/address.ts'
import { refuseTaken } from '#credentials/kinds/otp/taken.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { inputMismatch, type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import {
  applyChanges,
  companyChanges,
  customerUuid,
  individualChanges,
  parseCustomerChanges,
} from '#customers/change.ts'
import {
  CUSTOMER_TYPES,
  type Customer,
  CustomerRecord,
  type CustomerType,
  unknownCustomer,
} from '#customers/customer.ts'
import { phoneNumber } from '#customers/new-customer.ts'
import { customerDeleted, lockAddresses, lockCustomer } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Customer as CustomerRow } from '#generated/prisma/client.ts'

export const contactChanges = z.object({
  email: emailAddress
    .optional()
    .describe(
      'Email address, at most 254 characters. It cannot be cleared. Tied `EMAIL_OTP` credentials change with it.',
    ),
  phoneNumber: phoneNumber
    .optional()
    .describe(
      'Phone number as E.164, for example `+14155550123`. It cannot be cleared. Tied `SMS_OTP` credentials change with it.',
    ),
})

/** A contact of a customer of either type, as both faces document it. */
export const customerChanges = z
  .discriminatedUnion('customerType', [
    individualChanges
      .extend({
        customerType: z.literal('INDIVIDUAL').describe(CustomerRecord.texts.customerType),
        ...contactChanges.shape,
      })
      .meta({ id: 'IndividualCustomerRequest', description: 'Changes of a person.' }),
    companyChanges
      .extend({
        customerType: z.literal('BUSINESS').describe(CustomerRecord.texts.customerType),
        ...contactChanges.shape,
      })
      .meta({ id: 'BusinessCustomerRequest', description: 'Changes of a business.' }),
  ])
  .meta({
    id: 'CustomerRequest',
    description: 'Changes of a customer. Omitted fields are kept, and null clears a field.',
  })

const customerType = z.object({ customerType: labelOf(CUSTOMER_TYPES).nullish() })

type Changes = ReturnType<typeof parseCustomerChanges<typeof contactChanges>>

/** A new email address or phone number. */
interface Change {
  readonly customerId: string
  readonly type: OtpType
  readonly column: 'email' | 'phoneNumber'
  readonly value: string
}

/** The changes without the contact, which `Change` holds. */
const othersOf = ({ email: _email, phoneNumber: _phoneNumber, ...others }: Changes) => others

interface TiedCredential {
  readonly id: string
  readonly accountId: string
}

/** What is stored until the second call. A request of an earlier release has only the change and the credentials. */
interface SignedChange {
  readonly customerType?: CustomerType
  readonly change: Change
  readonly others?: ReturnType<typeof othersOf>
  readonly tied: readonly TiedCredential[]
}

/**
 * Merges changes into a customer. Needs the permission MANAGE. If credentials are tied to a new address or number, a session of one of
 * their wallets signs, and everything changes with the second call. Otherwise no signature is needed.
 */
export const updateCustomer = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<Customer>> => {
  requirePermission(caller, 'MANAGE')
  const outcome = await signedRetry<SignedChange, string>(caller, proof, {
    operation: 'UPDATE_CUSTOMER',
    target: id,
    // Without the type, which GraphQL does not need, so that the two calls may be made over different faces. `perform` compares it.
    input: { ...(input as object), customerType: undefined },
    keepsNull: true,
    prepare: async () => {
      const customer = await findCustomer(caller, id)
      const changes = changesOf(customer, input)
      const change = changeOf(customer, changes)
      if (change?.column === 'email') requirePublicDomain(caller.environment, change.value, 'email')
      const tied = await changeOrCheck(caller, customer.id, change, changes)
      // Accounts are locked in this order.
      const [first, ...others] = [...new Set(tied.map(({ accountId }) => accountId))].toSorted()
      if (first === undefined || change === undefined) return { done: customer.id }
      return {
        accountIds: [first, ...others],
        signers: {},
        type: change.type,
        payload: activityPayload(first, ADDRESSES[change.type].activityOf(change.value, change.customerId)),
        data: { customerType: customer.customerType, change, others: othersOf(changes), tied },
      }
    },
    perform: async (tx, { customerType, change, others, tied }) => {
      const { customerType: given = customerType } = input as { readonly customerType?: unknown }
      if (customerType && given !== customerType) throw inputMismatch()
      await lockCustomer(tx, caller, change.customerId)
      const now = await tiedCredentials(tx, caller, change)
      if (now.map(({ id }) => id).join() !== tied.map(({ id }) => id).join()) {
        throw new ApiError('EMAIL_OTP_CREDENTIAL_SET_CHANGED', 'The tied credentials have changed since the first call')
      }
      await lockAddresses(tx, caller.platformId)
      await refuseTaken(tx, caller, change)
      await writeContact(tx, caller, change)
      await writeTied(tx, caller, change)
      await applyChanges(tx, caller, change.customerId, others ?? {})
      return change.customerId
    },
  })
  if ('challenge' in outcome) return outcome
  return { done: await selectWritten(caller, CustomerRecord, outcome.done) }
}

const findCustomer = async ({ platformId }: PlatformCaller, id: string): Promise<CustomerRow> => {
  const uuid = customerUuid(id)
  const customer = await db.customer.findUnique({ where: { platformId_id: { platformId, id: uuid } } })
  if (!customer) throw unknownCustomer()
  if (customer.isDeleted) throw customerDeleted()
  return customer
}

const changesOf = (customer: CustomerRow, input: unknown): Changes => {
  refuseOtherType(customer.customerType, input)
  return parseCustomerChanges(customer.customerType, input, contactChanges)
}

const refuseOtherType = (type: CustomerType, input: unknown): void => {
  const { customerType: given } = parse(customerType, input)
  if (given && given !== type) throw invalidInput('customerType', 'customerType cannot be changed')
}

/** Undefined when neither changes. A change of both is refused: one signature concerns one credential type. */
const changeOf = (customer: CustomerRow, { email, phoneNumber }: Changes): Change | undefined => {
  const changesEmail = email && email !== customer.email
  const changesPhone = phoneNumber && phoneNumber !== customer.phoneNumber
  if (changesEmail && changesPhone) {
    throw invalidInput('phoneNumber', 'email and phoneNumber cannot be changed at the same time')
  }
  const customerId = customer.id
  if (changesEmail) return { customerId, type: 'EMAIL_OTP', column: 'email', value: email }
  if (changesPhone) return { customerId, type: 'SMS_OTP', column: 'phoneNumber', value: phoneNumber }
  return undefined
}

/** Changes the customer if no credential is tied to the value. Otherwise makes all checks of the change. Returns the tied credentials. */
const changeOrCheck = (
  caller: PlatformCaller,
  customerId: string,
  change: Change | undefined,
  changes: Changes,
): Promise<TiedCredential[]> =>
  inTransaction(async (tx) => {
    await lockCustomer(tx, caller, customerId)
    const tied = change === undefined ? [] : await tiedCredentials(tx, caller, change)
    const isOnlyChecked = change !== undefined && tied.length > 0
    if (isOnlyChecked) {
      await refuseTaken(tx, caller, change)
      await tx.$executeRaw`savepoint unchanged`
    }
    if (change) await writeContact(tx, caller, change)
    await applyChanges(tx, caller, customerId, othersOf(changes))
    if (isOnlyChecked) await tx.$executeRaw`rollback to savepoint unchanged`
    return tied
  })

const tiedCredentials = (
  tx: Tx,
  { platformId }: PlatformCaller,
  { customerId, type }: Change,
): Promise<TiedCredential[]> =>
  tx.authMethod.findMany({
    where: { platformId, type, revokedAt: null, account: { customerId } },
    select: { id: true, accountId: true },
    orderBy: { id: 'asc' },
  })

/** The new address of the customer is not verified. A new number ends the login, as the removal of any second factor does. */
const writeContact = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  { customerId, type, column, value }: Change,
): Promise<void> => {
  await tx.customer.update({
    where: { platformId_id: { platformId, id: customerId } },
    data: { [column]: value, [ADDRESSES[type].verified]: null },
  })
  if (type !== 'SMS_OTP') return
  // The SQL is here, because this folder cannot import that of the second factors.
  await tx.$executeRaw`
    update sca_customers set authenticated_until = null where platform_id = ${platformId}::uuid and id = ${customerId}::uuid`
}

/** Codes that were sent to the old address become void. Lock the accounts first, as those who issue codes do. */
const writeTied = async (tx: Tx, { platformId }: PlatformCaller, { customerId, type, value }: Change) => {
  const tied = { platformId, type, revokedAt: null, account: { customerId } }
  await tx.otpChallenge.deleteMany({ where: { platformId, authMethod: tied } })
  await tx.authMethod.updateMany({ where: tied, data: { nickname: value } })
}
