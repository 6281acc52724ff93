// Seeds the platform `demo` with realistic data, and the smaller tenant `other` with the same people.
import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { insertingRows } from '#database/columns.ts'
import { type ApiPermission, type Prisma, PrismaClient } from '#generated/prisma/client.ts'
import { addInternalAccounts } from './demo/accounts.ts'
import { addAgents } from './demo/agents.ts'
import { addCardUse } from './demo/card-use.ts'
import { addCards } from './demo/cards.ts'
import { addCredentials } from './demo/credentials.ts'
import { addExternalAccounts } from './demo/external-accounts.ts'
import { addIncoming } from './demo/incoming.ts'
import { openAccounts } from './demo/ledger.ts'
import { addOutgoing } from './demo/outgoing.ts'
import { ownersOf } from './demo/owners.ts'
import { addCustomers, PEOPLE } from './demo/people.ts'
import { DAY, World } from './demo/world.ts'

type Size = { people: number; outgoing: number; incoming: number; cardUse: number }

const DEMO: Size = { people: PEOPLE.length, outgoing: 260, incoming: 150, cardUse: 200 }
const OTHER: Size = { people: 6, outgoing: 40, incoming: 26, cardUse: 24 }

const ALL: readonly ApiPermission[] = ['VIEW', 'TRANSACT', 'MANAGE']

/** Writes both platforms and returns true, or returns false if the demo exists already. */
export const seedDemo = async (databaseUrl: string): Promise<boolean> => {
  const adapter = new PrismaPg({ connectionString: databaseUrl, options: '-c TimeZone=UTC -c statement_timeout=0' })
  const prisma = new PrismaClient({ adapter })
  try {
    return await prisma.$transaction(
      async (tx) => {
        // Histories are written as they ended, so there are no events: each would tell of a state in between, by the clock of the database. In a
        // distributed database the nodes with the rows must know that too.
        await tx.$executeRaw`SET LOCAL citus.propagate_set_commands = 'local'`
        await tx.$executeRaw`SET LOCAL app.events = 'off'`
        const now = new Date()
        const demo = new World('demo', now)
        if (await tx.platform.findUnique({ where: { id: demo.platformId } })) return false
        await write(tx, populate(demo, DEMO))
        await addToken(tx, demo, 'demo', 'demo-secret', ALL)
        await addToken(tx, demo, 'viewer', 'viewer-secret', ['VIEW'])
        const other = new World('other', now)
        await write(tx, populate(other, OTHER))
        await addToken(tx, other, 'other', 'other-secret', ALL)
        return true
      },
      { timeout: 60_000 },
    )
  } finally {
    await prisma.$disconnect()
  }
}

const populate = (world: World, size: Size) => {
  const people = PEOPLE.slice(0, size.people)
  addCustomers(world, people)
  const funds = addInternalAccounts(world, people)
  addCredentials(world, people)
  const payees = addExternalAccounts(world, people)
  const cards = addCards(world, people)
  const owners = ownersOf(world, people, payees, addAgents(world, people))
  addOutgoing(world, owners, size.outgoing)
  addIncoming(world, owners, size.incoming)
  addCardUse(world, cards, size.cardUse)
  openAccounts(world, funds)
  return world
}

const write = async (tx: Prisma.TransactionClient, { platform, platformId, rows, ago }: World) => {
  const createdAt = ago(410 * DAY)
  await tx.platform.create({
    data: {
      id: platformId,
      name: platform,
      environment: 'SANDBOX',
      umaDomain: `pay.${platform}.example`,
      appName: 'Paygraph demo',
      replyToEmailAddress: `help@${platform}.example`,
      cardTokenization: { displayName: 'Paygraph demo', sms: { bodyText: 'Your code is {{code}}' } },
      createdAt,
      updatedAt: createdAt,
    },
  })
  // As JSON, because Prisma's `createMany` takes five times as long. A column that only some rows have is null in the others.
  const insert = (table: string, rows: readonly object[]) => tx.$executeRaw(insertingRows(table, rows))
  await insert('customers', rows.customers)
  await insert('internal_accounts', rows.internalAccounts)
  await insert('auth_methods', rows.authMethods)
  await insert('external_accounts', rows.externalAccounts)
  await insert('cards', rows.cards)
  await insert('agents', rows.agents)
  await insert('agent_device_codes', rows.agentDeviceCodes)
  await addWhatTriggersAdd(tx, platformId)
  await insert('quotes', rows.quotes)
  await insert('sca_challenges', rows.scaChallenges)
  await insert('transactions', rows.transactions)
  await insert('transaction_state_changes', rows.stateChanges)
  await insert('agent_actions', rows.agentActions)
  await insert('ledger_movements', rows.ledgerMovements)
  await insert('ledger_entries', rows.ledgerEntries)
  await insert('ledger_holds', rows.ledgerHolds)
}

/** The rows that triggers add unless the tables are distributed. */
const addWhatTriggersAdd = async (tx: Prisma.TransactionClient, platformId: string) => {
  await tx.$executeRaw`insert into event_streams (platform_id) values (${platformId}::uuid) on conflict do nothing`
  await tx.$executeRaw`
    insert into directory (kind, key, platform_id, id)
    select 'AGENT', access_token_hash, platform_id, id from agents
    where platform_id = ${platformId}::uuid and access_token_hash is not null
    on conflict do nothing`
  await tx.$executeRaw`
    insert into directory (kind, key, platform_id, id)
    select 'DEVICE_CODE', code_mac, platform_id, agent_id from agent_device_codes where platform_id = ${platformId}::uuid
    on conflict do nothing`
}

const addToken = (
  tx: Prisma.TransactionClient,
  world: World,
  clientId: string,
  secret: string,
  permissions: readonly ApiPermission[],
) =>
  tx.apiToken.create({
    data: {
      platformId: world.platformId,
      id: world.id(`token/${clientId}`),
      name: clientId,
      clientId,
      secretHash: createHash('sha256').update(secret, 'utf8').digest(),
      permissions: [...permissions],
      createdAt: world.ago(400 * DAY),
      updatedAt: world.ago(400 * DAY),
    },
  })
