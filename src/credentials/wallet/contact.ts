// A customer's e-mail address and phone number, and the credentials that are tied to them (docs/domain/customers.md#customer-contact).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { emailAddress, requirePublicDomain } from '#core/email-address.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { labelOf, parseChanges, textOf } from '#core/input.ts'
import { ADDRESSES, type OtpType } from '#credentials/kinds/otp/address.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { CUSTOMER_TYPES, type Customer, CustomerRecord } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, lockText, type Tx } from '#database/unit-of-work.ts'
import type { Customer as CustomerRow } from '#generated/prisma/client.ts'

export const customerChanges = z.object({
  customerType: labelOf(CUSTOMER_TYPES).describe(CustomerRecord.texts.customerType).nullish(),
  email: emailAddress
    .optional()
    .describe(
      'Email address, at most 254 characters. It cannot be cleared. Tied `EMAIL_OTP` credentials change with it.',
    ),
  phoneNumber: textOf(16)
    .regex(/^\+[1-9]\d{1,14}$/, 'must be an E.164 phone number, for example +14155550123')
    .optional()
    .describe(
      'Phone number as E.164, for example `+14155550123`. It cannot be cleared. Tied `SMS_OTP` credentials change with it.',
    ),
})

/** The other fields of a customer, which cannot be changed here. */
const FIXED_FIELDS = [
  'id',
  'platformCustomerId',
  'region',
  'currencies',
  'umaAddress',
  'createdAt',
  'updatedAt',
  'isDeleted',
  'contactVerification',
  'kycStatus',
  'fullName',
  'birthDate',
  'nationality',
  'address',
  'taxIdType',
  'taxIdentifier',
  'taxIdCountryOfIssuance',
  'sourceOfFundsCategories',
  'sourceOfFundsOtherDescription',
  'sourceOfWealthCategories',
  'sourceOfWealthOtherDescription',
  'purposeOfAccount',
  'purposeOfAccountOtherDescription',
  'expectedMonthlyTransactionCount',
  'expectedMonthlyTransactionVolume',
  'annualIncomeRange',
  'netWorthRange',
  'pepStatus',
  'kybStatus',
  'businessInfo',
  'beneficialOwners',
]

/** A new email address or phone number. */
interface Change {
  readonly customerId: string
  readonly type: OtpType
  readonly column: 'email' | 'phoneNumber'
  readonly value: string
}

interface TiedCredential {
  readonly id: string
  readonly accountId: string
}

/** Needs the permission MANAGE. If credentials are tied to the value, a session of one of their wallets signs. Else no signature is needed. */
export const updateCustomer = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<Customer>> => {
  requirePermission(caller, 'MANAGE')
  const outcome = await signedRetry<{ change: Change; tied: TiedCredential[] }, string>(caller, proof, {
    operation: 'UPDATE_CUSTOMER',
    target: id,
    // REST also sends customerType, which changes nothing.
    input: { ...(input as object), customerType: undefined },
    prepare: async () => {
      const customer = await findCustomer(caller, id)
      if (!customer) throw new ApiError('USER_NOT_FOUND', 'There is no such customer')
      const change = changeOf(customer, input)
      if (!change) return { done: customer.id }
      if (change.column === 'email') requirePublicDomain(caller.environment, change.value, 'email')
      const tied = await changeUntied(caller, change)
      const [first, ...others] = [...new Set(tied.map(({ accountId }) => accountId))]
      if (first === undefined) return { done: customer.id }
      await refuseTaken(db, caller, change)
      return {
        accountIds: [first, ...others],
        signers: {},
        type: change.type,
        payload: activityPayload(first, ADDRESSES[change.type].activityOf(change.value, change.customerId)),
        data: { change, tied },
      }
    },
    perform: async (tx, { change, tied }) => {
      await lockCustomer(tx, caller, change.customerId)
      const now = await tiedCredentials(tx, caller, change)
      if (now.map(({ id }) => id).join() !== tied.map(({ id }) => id).join()) {
        throw new ApiError('EMAIL_OTP_CREDENTIAL_SET_CHANGED', 'The tied credentials have changed since the first call')
      }
      await lockValue(tx, caller, change)
      await refuseTaken(tx, caller, change)
      await write(tx, caller, change)
      return change.customerId
    },
  })
  if ('challenge' in outcome) return outcome
  return { done: await selectWritten(caller, CustomerRecord, outcome.done) }
}

const findCustomer = async ({ platformId }: PlatformCaller, id: string): Promise<CustomerRow | null> => {
  const parsed = parseId(id)
  if (parsed?.kind !== 'Customer') return null
  return db.customer.findFirst({ where: { platformId, id: parsed.uuid, isDeleted: false } })
}

/** Undefined when nothing changes. A change of both is refused: one signature concerns one credential type. */
const changeOf = (customer: CustomerRow, input: unknown): Change | undefined => {
  const { customerType, email, phoneNumber } = parseChanges(customerChanges, input, FIXED_FIELDS)
  if (customerType && customerType !== customer.customerType) {
    throw invalidInput('customerType', 'customerType cannot be changed')
  }
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

/** Changes the customer if no credential is tied to the value. Returns the tied credentials. */
const changeUntied = (caller: PlatformCaller, change: Change): Promise<TiedCredential[]> =>
  inTransaction(async (tx) => {
    await lockCustomer(tx, caller, change.customerId)
    const tied = await tiedCredentials(tx, caller, change)
    if (tied.length === 0) await write(tx, caller, change)
    return tied
  })

const lockCustomer = (tx: Tx, { platformId }: PlatformCaller, id: string) =>
  tx.$queryRaw`select id from customers where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`

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

/** Makes concurrent changes of two customers to the same address take turns. */
const lockValue = (tx: Tx, { platformId }: PlatformCaller, { type, value }: Change) =>
  lockText(tx, `${platformId} ${type} ${value.toLowerCase()}`)

/** 409 when another customer's credential has the address. */
const refuseTaken = async (reader: Tx | typeof db, { platformId }: PlatformCaller, change: Change) => {
  const { customerId, type, value } = change
  const others = await reader.$queryRaw<unknown[]>`
    select 1 from auth_methods method
    join internal_accounts account on account.platform_id = method.platform_id and account.id = method.account_id
    where method.platform_id = ${platformId}::uuid and method.type = ${type}::auth_method_type and method.revoked_at is null
      and lower(method.nickname) = lower(${value}) and account.customer_id <> ${customerId}::uuid
    limit 1`
  if (others.length > 0) {
    throw new ApiError('EMAIL_OTP_EMAIL_ALREADY_EXISTS', "Another customer's credential has this address")
  }
}

/** Changes the customer and the tied credentials. Codes sent to the old address become void. */
const write = async (tx: Tx, { platformId }: PlatformCaller, { customerId, type, column, value }: Change) => {
  await tx.customer.update({ where: { platformId_id: { platformId, id: customerId } }, data: { [column]: value } })
  const tied = { platformId, type, revokedAt: null, account: { customerId } }
  await tx.otpChallenge.deleteMany({ where: { platformId, authMethod: tied } })
  await tx.authMethod.updateMany({ where: tied, data: { nickname: value } })
}
