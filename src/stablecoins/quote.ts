// Quotes of mints and burns (docs/domain/stablecoins.md#mint-and-burn).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { idOf, parse } from '#core/input.ts'
import { amount, oneOf, type RecordOf, record, selectWritten, text, time } from '#database/record.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { ExternalAccount, InternalAccount } from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { requireSupported } from '#platforms/settings/currencies.ts'
import { findExternalAccount, findInternalAccount, payerOf } from '#settlement/parties.ts'
import { BACKING, tokenAmount } from './amount.ts'
import { findStablecoin } from './stablecoin.ts'
import { requireLinkOf } from './usable-link.ts'

export const OPERATION_TYPES = ['MINT', 'BURN'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]
export const STABLECOIN_QUOTE_STATUSES = ['PENDING', 'EXECUTED', 'EXPIRED'] as const

export const AMOUNT_TEXT =
  'Number of tokens as a decimal string, for example `10.50`. Each token is backed by one US dollar.'

/** The fields that quotes and operations share. */
export const PARTIES = {
  internalAccountId: text.describe(
    '`InternalAccount:<uuid>` in US dollars: it pays for a mint, and is paid by a burn.',
  ),
  externalAccountId: text.describe('`ExternalAccount:<uuid>` of the Spark wallet that holds the tokens.'),
}

export const StablecoinQuoteRecord = record(
  'current_stablecoin_quotes',
  {
    id: text.describe('`StablecoinQuote:<uuid>`.'),
    stablecoinId: text.describe('`Stablecoin:<uuid>` that is minted or burned.'),
    operationType: oneOf(OPERATION_TYPES).describe('Whether tokens are issued or redeemed.'),
    amount: amount.describe(AMOUNT_TEXT),
    ...PARTIES,
    status: oneOf(STABLECOIN_QUOTE_STATUSES).describe('State of the quote.'),
    createdAt: time.describe('When the quote was created.'),
    expiresAt: time.describe('When the quote expires: 5 minutes after it was created.'),
  },
  'REFUSED',
)
export type StablecoinQuote = RecordOf<typeof StablecoinQuoteRecord>

const internal = z.object({ accountId: idOf('InternalAccount') }, { error: 'must be an object' })
const external = z.object({ accountId: idOf('ExternalAccount') }, { error: 'must be an object' })

export const mintRequest = z.object({
  id: idOf('Stablecoin').describe('`Stablecoin:<uuid>` to mint.'),
  amount: tokenAmount.describe(AMOUNT_TEXT),
  source: internal.describe('The account in US dollars that pays.'),
  destination: external.describe('The Spark wallet that receives the tokens.'),
})
export const burnRequest = z.object({
  id: idOf('Stablecoin').describe('`Stablecoin:<uuid>` to burn.'),
  amount: tokenAmount.describe(AMOUNT_TEXT),
  source: external.describe('The Spark wallet that provides the tokens.'),
  destination: internal.describe('The account in US dollars that is paid.'),
})

const LIFE_SECONDS = 5 * 60

interface Wanted {
  readonly amount: bigint
  readonly internalId: string
  readonly internalField: string
  readonly externalId: string
  readonly externalField: string
}

const wantedOf = (type: OperationType, input: unknown): Wanted => {
  const isMint = type === 'MINT'
  const schema = isMint ? mintRequest.omit({ id: true }) : burnRequest.omit({ id: true })
  const { amount, ...places } = parse(schema, input)
  const [internal, external] = isMint ? (['source', 'destination'] as const) : (['destination', 'source'] as const)
  return {
    amount,
    internalId: partsOfId(places[internal].accountId).uuid,
    internalField: `${internal}.accountId`,
    externalId: partsOfId(places[external].accountId).uuid,
    externalField: `${external}.accountId`,
  }
}

/**
 * Needs the permission TRANSACT. Throws 404 `REFERENCE_NOT_FOUND` for an unknown stablecoin or account, 403 `USER_NOT_READY` for an account
 * or a customer that is not active, 400 `INVALID_CURRENCY` for an account in a currency other than the dollar, 400 `INVALID_INPUT` for a
 * wallet on another network or of another owner, and what `requireSupported` and `requireLinkOf` throw.
 */
export const createStablecoinQuote = async (
  caller: PlatformCaller,
  stablecoinId: string,
  type: OperationType,
  input: unknown,
  record: RecordResult,
): Promise<StablecoinQuote> => {
  requirePermission(caller, 'TRANSACT')
  const wanted = wantedOf(type, input)
  const stablecoin = await findStablecoin(caller, stablecoinId)
  const account = await findInternalAccount(caller, wanted.internalId, wanted.internalField)
  const wallet = await findExternalAccount(caller, wanted.externalId, wanted.externalField)
  requireParties(type, account, wallet, wanted)
  await payerOf(caller, account.customerId)
  await requireLinkOf(caller, stablecoin.stablecoinProviderAccountId)
  const payment = {
    amount: wanted.amount,
    amountField: 'amount',
    type: type === 'MINT' ? 'OUTGOING' : 'INCOMING',
  } as const
  await requireSupported(caller, [{ currency: BACKING, field: wanted.internalField, payment }])
  const id = newUuid()
  await inTransaction(async (tx) => {
    await tx.$executeRaw`
      insert into stablecoin_quotes
        (platform_id, id, stablecoin_id, operation_type, amount, internal_account_id, external_account_id, expires_at)
      values (${caller.platformId}::uuid, ${id}::uuid, ${stablecoin.id}::uuid, ${type}::stablecoin_operation_type, ${wanted.amount},
        ${account.id}::uuid, ${wallet.id}::uuid, now() + make_interval(secs => ${LIFE_SECONDS}))`
    await record(tx, id)
  })
  return selectWritten(caller, StablecoinQuoteRecord, id)
}

const requireParties = (
  type: OperationType,
  account: InternalAccount,
  wallet: ExternalAccount,
  { internalField, externalField }: Wanted,
): void => {
  if (account.currency !== BACKING) {
    throw new ApiError('INVALID_CURRENCY', `The account must be in ${BACKING}`, { field: internalField })
  }
  if (wallet.accountType !== 'SPARK_WALLET') {
    throw invalidInput(externalField, 'The account must be a SPARK_WALLET: the tokens are on that network')
  }
  // A wallet of the platform may receive from everyone, as in a transfer.
  if (wallet.customerId === account.customerId || (type === 'MINT' && wallet.customerId === null)) return
  throw new ApiError('INVALID_INPUT', 'The wallet must belong to the owner of the account', {
    field: externalField,
    reason: 'ACCOUNT_OWNER_MISMATCH',
  })
}
