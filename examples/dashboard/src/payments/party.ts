// The other party of a payment, and the direction of the money.
import type { AccountLabelFragment, HolderFragment, PaymentRowFragment } from '../gql/graphql.ts'
import type { Flow } from '../parts/money.tsx'
import { accountTypeName, railName, sentence } from '../parts/words.ts'

type Keys<T> = T extends T ? keyof T : never
type Loose<T> = { readonly [K in Keys<T>]?: T extends T ? (K extends keyof T ? T[K] : never) : never }

/** A row with the fields of all its types. */
export type Row = PaymentRowFragment
type Wide = Loose<Row>

type Account = Loose<AccountLabelFragment>

export const accountName = (account: Account | null | undefined): string => {
  if (!account) return 'Deleted account'
  const code = account.currency?.code ?? ''
  if (account.accountInfo) return accountTypeName(account.accountInfo.accountType)
  return account.internalType === 'EMBEDDED_WALLET' ? `${code} wallet` : `${code} account`
}

interface Held {
  readonly id?: string | undefined
  readonly accountInfo?: HolderFragment['accountInfo'] | undefined
}

/** Whose account it is, if it is one at a bank. */
export const holderOf = (account: Held | null | undefined): string | undefined => {
  const info = account?.accountInfo
  const holder = info && 'beneficiary' in info ? info.beneficiary : undefined
  return holder?.__typename === 'BusinessBeneficiary' ? holder.legalName : (holder?.fullName ?? undefined)
}

interface End {
  readonly account?: unknown
  readonly umaAddress?: string
  readonly accountHolderName?: string | null
  readonly rail?: string | null
}

/**
 * For a payment the type decides: one that is taken from a bank account of the customer is `INCOMING`, although its
 * direction is `DEBIT`. For a card transaction the direction decides.
 */
export const flowOf = ({ type, direction }: Pick<Row, 'type' | 'direction'>): Flow =>
  type === 'INCOMING' || (type === 'CARD' && direction === 'CREDIT') ? 'in' : 'out'

const otherEndOf = (row: Row) => {
  const { source, destination } = row as Wide
  return (flowOf(row) === 'out' ? destination : source) as
    | (End & { readonly [key: string]: unknown })
    | null
    | undefined
}

/** The holder of the account, if it is not the customer's own. */
export const nameOfAccount = (account: (Account & Held) | null | undefined, customerId: string | undefined): string => {
  const owner = account?.customer && account.customer.id !== customerId ? account.customer.customerName : undefined
  return holderOf(account) ?? owner ?? accountName(account)
}

/** Names the other party. If its name is unknown, describes its account. */
export const partyOf = (row: Row): string => {
  const { merchant, counterparty, customer } = row as Wide
  const [name] = counterparty ?? []
  const known = merchant?.descriptor ?? name?.value
  if (known !== undefined) return known
  const end = otherEndOf(row)
  if (end && 'account' in end) return nameOfAccount(end.account as (Account & Held) | null, customer?.id)
  const rail = end?.rail ? `Bank transfer by ${railName(end.rail)}` : undefined
  return end?.umaAddress ?? end?.accountHolderName ?? rail ?? 'Not known yet'
}

export const methodOf = (row: Row): string => {
  const { card, merchant, paymentRail } = row as Wide
  if (merchant) return card?.last4 ? `Card •••• ${card.last4}` : 'Card'
  if (paymentRail) return railName(paymentRail)
  const end = otherEndOf(row)
  if (end?.umaAddress) return 'UMA'
  if (end?.rail) return railName(end.rail)
  const account = end?.account as Account | null | undefined
  if (account?.accountInfo) return accountTypeName(account.accountInfo.accountType)
  if (account?.internalType) return sentence(account.internalType.replace('INTERNAL_', 'internal_'))
  return '—'
}

export const agentOf = (row: Row) => (row as Wide).agent ?? undefined
