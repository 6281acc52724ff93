// Platforms add accounts outside the service (docs/domain/customers.md#external-accounts).
import { z } from 'zod'
import type { AccountType } from '#accounts/account-info.ts'
import { type ExternalAccount, ExternalAccountRecord, OWNERSHIP_TYPES } from '#accounts/external-account.ts'
import type { AccountOwner } from '#accounts/list.ts'
import { ACCOUNT_TEXTS } from '#accounts/texts.ts'
import { parseAccountInfo } from '#accounts/types/account-input.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES } from '#accounts/types/table.ts'
import { type Caller, type PlatformCaller, requireAnyPermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId, publicId } from '#core/ids.ts'
import { currencyCode, idOf, labelOf, parseChanges, textOf } from '#core/input.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, isDuplicate, type Tx } from '#database/unit-of-work.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { requireKnownCurrency, requireSupported } from '#platforms/settings/currencies.ts'
import { checkBeneficiary } from './beneficiary-check.ts'
import { fingerprintOf } from './fingerprint.ts'

/** Writing external accounts needs one of these. */
export const requireAccountWriter = (caller: PlatformCaller) => requireAnyPermission(caller, ['TRANSACT', 'MANAGE'])

const { texts } = ExternalAccountRecord

/** The schema of the account type checks `accountInfo`. */
export const newExternalAccount = z.object({
  customerId: idOf('Customer').nullish().describe(ACCOUNT_TEXTS.newOwner),
  currency: currencyCode,
  platformAccountId: textOf(255).nullish().describe(texts.platformAccountId),
  defaultUmaDepositAccount: z
    .boolean({ error: 'must be true or false' })
    .nullish()
    .describe(`${texts.defaultUmaDepositAccount} It replaces the previous default. Only for accounts of customers.`),
  ownershipType: labelOf(OWNERSHIP_TYPES).nullish().describe(`${texts.ownershipType} The default is \`THIRD_PARTY\`.`),
  accountInfo: z.looseObject({ accountType: labelOf(ADDABLE_TYPES) }, { error: 'must be an object' }),
})

/** The fields of an account that only the service writes. */
const FIXED_FIELDS = [
  'id',
  'status',
  'beneficiaryVerificationStatus',
  'beneficiaryVerifiedData',
  'createdAt',
  'updatedAt',
]

const ofCustomer = newExternalAccount.extend({ customerId: idOf('Customer') })

interface NewAccount {
  readonly customerId: string | null
  readonly data: Omit<Prisma.ExternalAccountUncheckedCreateInput, 'platformId' | 'id' | 'customerId'> & {
    readonly fingerprint: Uint8Array<ArrayBuffer>
  }
}

/**
 * Checks all that needs no database. Throws 400 `INVALID_INPUT`, `INVALID_CURRENCY`, and `INVALID_BANK_ACCOUNT` for any
 * invalid field of `accountInfo` except its type.
 */
export const readNewAccount = ({ environment }: Caller, owner: AccountOwner, input: unknown): NewAccount => {
  const given = parseChanges(owner === 'CUSTOMER' ? ofCustomer : newExternalAccount, input, FIXED_FIELDS)
  const { currency, platformAccountId = null, ownershipType } = given
  const { accountType } = given.accountInfo
  const isDefault = given.defaultUmaDepositAccount ?? false
  if (owner === 'PLATFORM') {
    if (given.customerId) throw invalidInput('customerId', "customerId is not allowed for the platform's own accounts")
    if (isDefault) throw invalidInput('defaultUmaDepositAccount', 'defaultUmaDepositAccount is only for customers')
  }
  requireCurrency(accountType, currency)
  const info = parseAccountInfo(accountType, environment, given.accountInfo)
  return {
    customerId: given.customerId ? partsOfId(given.customerId).uuid : null,
    data: {
      ...checkBeneficiary(environment, info),
      status: firstStatusOf(accountType, ownershipType ?? 'THIRD_PARTY'),
      currency,
      accountType,
      accountInfo: info as Prisma.InputJsonObject,
      platformAccountId,
      defaultUmaDepositAccount: isDefault,
      ownershipType: ownershipType ?? 'THIRD_PARTY',
      fingerprint: fingerprintOf(accountType, currency, info),
    },
  }
}

/** A first-party wallet must be verified before it can receive money. */
export const firstStatusOf = (type: AccountType, ownership: ExternalAccount['ownershipType']) =>
  ownership === 'FIRST_PARTY' && type.endsWith('_WALLET') ? 'PENDING_OWNERSHIP_VERIFICATION' : 'ACTIVE'

/** Throws 400 `INVALID_CURRENCY` for an unknown currency and for one that accounts of the type cannot have. */
const requireCurrency = (type: AccountType, currency: string) => {
  const { currencies } = ACCOUNT_TYPE_RULES[type]
  requireKnownCurrency(currency, 'currency')
  if (currencies.length === 0 || currencies.includes(currency)) return
  const message = `currency must be ${currencies.join(' or ')} for this type of account`
  throw new ApiError('INVALID_CURRENCY', message, { field: 'currency', constraint: { enum: currencies } })
}

/**
 * Needs the permission TRANSACT or MANAGE. Throws 404 `USER_NOT_FOUND` if the customer is unknown or deleted, and 409 `CONFLICT`, reason
 * `ACCOUNT_EXISTS`, if the owner already has the account, with its id.
 */
export const createExternalAccount = async (
  caller: PlatformCaller,
  owner: AccountOwner,
  input: unknown,
): Promise<ExternalAccount> => {
  requireAccountWriter(caller)
  const account = readNewAccount(caller, owner, input)
  const id = newUuid()
  await conflictOnDuplicate(
    inTransaction((tx) => insertAccount(tx, caller, id, account)),
    () => findSame(caller, account),
  )
  return selectWritten(caller, ExternalAccountRecord, id)
}

type Same = { readonly id: string } | null

/** The account of the owner that is the same. Null if it was deleted meanwhile. */
const findSame = ({ platformId }: PlatformCaller, { customerId, data }: NewAccount): Promise<Same> =>
  db.externalAccount.findFirst({
    select: { id: true },
    where: { platformId, customerId, fingerprint: data.fingerprint, deletedAt: null },
  })

/** Turns the unique index's refusal into 409 `CONFLICT`. Agents are not told which account is the same, because not all may see it. */
export const conflictOnDuplicate = async <T>(insertion: Promise<T>, findSame?: () => Promise<Same>): Promise<T> => {
  try {
    return await insertion
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const same = await findSame?.()
    throw new ApiError('CONFLICT', 'The owner already has this account', {
      reason: 'ACCOUNT_EXISTS',
      ...(same && { externalAccountId: publicId('ExternalAccount', same.id) }),
    })
  }
}

/**
 * Throws 400 `INVALID_CURRENCY` for a currency that the platform does not support. Locks the customer, because two new accounts may both
 * become its default.
 */
export const insertAccount = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  id: string,
  { customerId, data }: NewAccount,
): Promise<void> => {
  await requireSupported({ platformId }, [{ currency: data.currency, field: 'currency' }], tx)
  if (customerId !== null) {
    const [customer] = await tx.$queryRaw<object[]>`
      select id from customers where platform_id = ${platformId}::uuid and id = ${customerId}::uuid and not is_deleted
      for no key update`
    if (!customer) throw unknownCustomer()
  }
  if (data.defaultUmaDepositAccount) {
    await tx.$executeRaw`
      update external_accounts set default_uma_deposit_account = false, updated_at = now()
      where platform_id = ${platformId}::uuid and customer_id = ${customerId}::uuid and default_uma_deposit_account`
  }
  await tx.externalAccount.create({ data: { platformId, id, customerId, ...data }, select: { id: true } })
}
