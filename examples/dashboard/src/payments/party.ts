// The other party of a payment, and the direction of the money.
import type { AccountLabelFragment, HolderFragment, PaymentRowFragment } from '../gql/graphql.ts'
import type { Flow } from '../parts/money.tsx'
import { accountTypeName, railName, sentence } from '../parts/words.ts'

type Keys<T> = T extends T ? keyof T : never
type Loose<T> = { readonly [K in Keys<T>]?: T extends T ? (K extends keyof T ? T[K] : never) : never }

/** A row with the fields of all its types. */
export type Row = PaymentRowFragment
type Wide = Loose<Row>

export interface Party {
  readonly name: string
  /** Whether the name is only the type of the account. */
  readonly isAccount: boolean
}

type Account = Loose<AccountLabelFragment>

export const accountName = (account: Account | null | undefined): string => {
  if (!account) return 'Deleted account'
  const code = account.currency?.code ?? ''
  if (account.accountInfo) return accountTypeName(account.accountInfo.accountType)
  return account.internalType === 'EMBEDDED_WALLET' ? `${code} wallet` : `${code} account`
}

/** Whose account it is, if it is one at a bank. */
export const holderOf = (
  account: { readonly id: string; readonly accountInfo?: HolderFragment['accountInfo'] } | null | undefined,
): string | undefined => {
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

const nameOfEnd = (end: End | null | undefined): Party => {
  if (end?.umaAddress) return { name: end.umaAddress, isAccount: false }
  if (end?.accountHolderName) return { name: end.accountHolderName, isAccount: false }
  if (end && 'account' in end) return { name: accountName(end.account as Account | null), isAccount: true }
  return { name: end?.rail ? `Bank transfer by ${railName(end.rail)}` : 'Not known yet', isAccount: true }
}

export const partyOf = (row: Row): Party => {
  const { merchant, counterparty } = row as Wide
  if (merchant) return { name: merchant.descriptor, isAccount: false }
  const [name] = counterparty ?? []
  if (name) return { name: name.value, isAccount: false }
  return nameOfEnd(otherEndOf(row))
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
