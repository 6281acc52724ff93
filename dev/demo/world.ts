// The state that all parts of the demo share: the platform, the current time, and the rows so far.
import type { LedgerBook, LedgerMovementKind, Prisma } from '#generated/prisma/client.ts'
import { idOf } from './dice.ts'

/** Plain values, without Prisma's `skip`. */
type Row<T> = { [K in keyof T]: Exclude<T[K], typeof Prisma.skip> }
export type TransactionRow = Row<Prisma.TransactionCreateManyInput>

export type Rows = {
  customers: Prisma.CustomerCreateManyInput[]
  internalAccounts: (Row<Prisma.InternalAccountCreateManyInput> & { createdAt: Date; updatedAt: Date })[]
  authMethods: Prisma.AuthMethodCreateManyInput[]
  externalAccounts: Prisma.ExternalAccountCreateManyInput[]
  cards: Prisma.CardCreateManyInput[]
  agents: Prisma.AgentCreateManyInput[]
  agentDeviceCodes: Prisma.AgentDeviceCodeCreateManyInput[]
  quotes: Prisma.QuoteCreateManyInput[]
  scaChallenges: Prisma.ScaChallengeCreateManyInput[]
  transactions: TransactionRow[]
  stateChanges: Prisma.TransactionStateChangeCreateManyInput[]
  agentActions: Prisma.AgentActionCreateManyInput[]
  ledgerMovements: {
    platformId: string
    id: string
    kind: LedgerMovementKind
    transactionId: string | null
    createdAt: Date
  }[]
  ledgerEntries: {
    platformId: string
    movementId: string
    position: number
    accountId?: string
    book?: LedgerBook
    currency: string
    amount: bigint
  }[]
  ledgerHolds: {
    platformId: string
    id: string
    accountId: string
    transactionId: string | null
    amount: bigint
    createdAt: Date
  }[]
}

export class World {
  readonly platform: string
  readonly platformId: string
  readonly now: Date
  readonly rows: Rows = {
    customers: [],
    internalAccounts: [],
    authMethods: [],
    externalAccounts: [],
    cards: [],
    agents: [],
    agentDeviceCodes: [],
    quotes: [],
    scaChallenges: [],
    transactions: [],
    stateChanges: [],
    agentActions: [],
    ledgerMovements: [],
    ledgerEntries: [],
    ledgerHolds: [],
  }

  constructor(platform: string, now: Date) {
    this.platform = platform
    this.platformId = idOf(`${platform}/platform`)
    this.now = now
  }

  id = (name: string) => idOf(`${this.platform}/${name}`)

  /** The time this many seconds ago. */
  ago = (seconds: number) => new Date(this.now.getTime() - seconds * 1000)
}

export const DAY = 86_400

export const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000)
