import { createHash, randomBytes } from 'node:crypto'
import type { AgentExecutionMode, Prisma } from '#generated/prisma/client.ts'
import { internalAccountId } from './accounts.ts'
import { customerId, type Person } from './people.ts'
import { DAY, later, type World } from './world.ts'

/** The access token of the demo's household assistant, for `Authorization: Bearer …`. */
export const AGENT_TOKEN = `sat_${'de30'.repeat(10)}`

type Policy = Partial<Prisma.AgentCreateManyInput>
type Entry = {
  owner: string
  key: string
  name: string
  mode: AgentExecutionMode
  policy: (world: World) => Policy
}

const TRADES = ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'] as const

const AGENTS: readonly Entry[] = [
  {
    owner: 'ada-lovelace',
    key: 'household',
    name: 'Household assistant',
    mode: 'AUTO',
    policy: (world) => ({
      isConnected: true,
      permissions: [...TRADES],
      limitCurrency: 'GBP',
      perTransactionLimit: 150_000n,
      dailyLimit: 300_000n,
      dailyTransactionLimit: 10,
      monthlyLimit: 2_000_000n,
      accountRules: [
        {
          accountId: internalAccountId(world, 'ada-lovelace', 'EUR'),
          executionMode: 'APPROVAL_REQUIRED',
          perTransactionLimit: 100_000,
        },
      ],
      approvalThresholdCurrency: 'GBP',
      approvalThresholdAmount: 5_000n,
      dailyTransactionCount: 2,
      dailySpend: 18_450n,
      monthlySpend: 214_900n,
    }),
  },
  {
    owner: 'northwind-coffee',
    key: 'treasury',
    name: 'Treasury agent',
    mode: 'APPROVAL_REQUIRED',
    policy: () => ({
      isConnected: true,
      permissions: [...TRADES, 'MANAGE_EXTERNAL_ACCOUNTS'],
      limitCurrency: 'USD',
      perTransactionLimit: 2_500_000n,
      dailyLimit: 5_000_000n,
      monthlySpend: 1_875_000n,
    }),
  },
  {
    owner: 'grace-whitfield',
    key: 'rent',
    name: 'Rent and bills',
    mode: 'AUTO',
    policy: (world) => ({
      isConnected: true,
      permissions: [...TRADES],
      limitCurrency: 'USD',
      allowedAccountIds: [
        internalAccountId(world, 'grace-whitfield', 'USD'),
        internalAccountId(world, 'grace-whitfield', 'USDB'),
      ],
      perTransactionLimit: 300_000n,
      monthlyLimit: 600_000n,
      approvalThresholdCurrency: 'USD',
      approvalThresholdAmount: 2_000n,
    }),
  },
  {
    owner: 'brightline-logistics',
    key: 'suppliers',
    name: 'Supplier payments',
    mode: 'APPROVAL_REQUIRED',
    policy: () => ({
      isPaused: true,
      isConnected: true,
      permissions: [...TRADES],
      limitCurrency: 'USD',
      perTransactionLimit: 2_500_000n,
      dailyTransactionLimit: 25,
    }),
  },
  {
    owner: 'anna-schmidt',
    key: 'savings',
    name: 'Savings helper',
    mode: 'AUTO',
    policy: () => ({
      permissions: ['VIEW_TRANSACTIONS'],
      limitCurrency: 'EUR',
      perTransactionLimit: 10_000n,
    }),
  },
  {
    owner: 'grace-whitfield',
    key: 'retired',
    name: 'Old budget bot',
    mode: 'APPROVAL_REQUIRED',
    policy: (world) => ({
      isConnected: true,
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES'],
      limitCurrency: 'USD',
      perTransactionLimit: 20_000n,
      deletedAt: world.ago(40 * DAY),
    }),
  },
]

export const agentId = (world: World, owner: string, key: string) => world.id(`agent/${owner}/${key}`)

/** Adds the agents and returns, for each customer, those that move money. */
export const addAgents = (world: World, people: readonly Person[]) => {
  const owners = people.map(({ key }) => key)
  const working = new Map<string, string>()
  for (const { owner, key, name, mode, policy } of AGENTS) {
    if (!owners.includes(owner)) continue
    const id = agentId(world, owner, key)
    const terms = policy(world)
    const createdAt = world.ago(125 * DAY)
    world.rows.agents.push({
      platformId: world.platformId,
      id,
      customerId: customerId(world, owner),
      name,
      permissions: [],
      defaultExecutionMode: mode,
      limitCurrency: 'USD',
      perTransactionLimit: 0n,
      accountRules: [],
      isPaused: false,
      isConnected: false,
      repriceToleranceBps: 100,
      usageDay: world.now,
      dailyTransactionCount: 0,
      dailySpend: 0n,
      monthlySpend: 0n,
      createdAt,
      updatedAt: terms.deletedAt instanceof Date ? terms.deletedAt : world.ago(9 * DAY),
      ...terms,
      accessTokenHash: terms.isConnected && !terms.deletedAt ? tokenHash(world, key) : null,
    })
    if (terms.isConnected) addRedeemedCode(world, id, createdAt)
    if (terms.isConnected && !terms.deletedAt) working.set(owner, id)
  }
  return working
}

/** All agents except one have a token that no one knows. */
const tokenHash = ({ platform }: World, key: string) =>
  platform === 'demo' && key === 'household' ? createHash('sha256').update(AGENT_TOKEN).digest() : randomBytes(32)

/** The redeemed device code of the agent, which no one knows either. */
const addRedeemedCode = (world: World, agent: string, createdAt: Date) => {
  world.rows.agentDeviceCodes.push({
    platformId: world.platformId,
    id: world.id(`device-code/${agent}`),
    agentId: agent,
    codeMac: randomBytes(32),
    expiresAt: later(createdAt, DAY),
    redeemedAt: later(createdAt, 420),
    createdAt,
  })
}
