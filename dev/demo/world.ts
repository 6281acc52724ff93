// What every part of the demo shares: the platform it is made for, the moment it is made, and the rows so far.
import type { Prisma } from '#generated/prisma/client.ts'
import { idOf } from './dice.ts'

export type Rows = {
  customers: Prisma.CustomerCreateManyInput[]
  internalAccounts: Prisma.InternalAccountCreateManyInput[]
  authMethods: Prisma.AuthMethodCreateManyInput[]
  externalAccounts: Prisma.ExternalAccountCreateManyInput[]
  cards: Prisma.CardCreateManyInput[]
  agents: Prisma.AgentCreateManyInput[]
  quotes: Prisma.QuoteCreateManyInput[]
  scaChallenges: Prisma.ScaChallengeCreateManyInput[]
  transactions: Prisma.TransactionCreateManyInput[]
  stateChanges: Prisma.TransactionStateChangeCreateManyInput[]
  agentActions: Prisma.AgentActionCreateManyInput[]
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
    quotes: [],
    scaChallenges: [],
    transactions: [],
    stateChanges: [],
    agentActions: [],
  }

  constructor(platform: string, now: Date) {
    this.platform = platform
    this.platformId = idOf(`${platform}/platform`)
    this.now = now
  }

  id = (name: string) => idOf(`${this.platform}/${name}`)

  /** The moment that many seconds before now. */
  ago = (seconds: number) => new Date(this.now.getTime() - seconds * 1000)
}

export const DAY = 86_400

export const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000)
