// Agents that act for a customer, with a funded account, accounts to pay, and a policy that states only what the test needs.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { publicId } from '#core/ids.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { db } from '#database/db.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { basic } from '#test/setup/faces.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  type Platform,
} from '#test/setup/world.ts'
import type { QuoteInput } from './action-faces.ts'
import { type Authorization, createConnectedAgent } from './agent-faces.ts'

export const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

type Policy = Partial<Omit<Prisma.AgentUncheckedCreateInput, 'platformId' | 'customerId'>>

/** A policy that allows everything without approval, up to 1,000.00 USD each time. */
const FREE: Policy = {
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_TRANSFERS', 'MANAGE_EXTERNAL_ACCOUNTS'],
  perTransactionLimit: 100_000n,
}

export const createActing = async ({
  platform: given,
  balance = 1_000_000n,
  ...policy
}: Policy & { platform?: Platform; balance?: bigint } = {}) => {
  const platform = given ?? (await createPlatform())
  const customer = await createCustomer(platform)
  const customerId = customer.id
  const account = await createInternalAccount(platform, { customerId, balance })
  const [dollars, euros] = await Promise.all([
    createExternalAccount(platform, { customerId }),
    createExternalAccount(platform, {
      customerId,
      currency: 'EUR',
      accountType: 'EUR_ACCOUNT',
      accountInfo: { iban: 'DE89370400440532013000', paymentRails: ['SEPA'] },
    }),
  ])
  const { agent, authorization } = await createConnectedAgent(platform, { customerId, ...FREE, ...policy })
  return {
    platform,
    /** The platform as caller. */
    owner: basic(platform),
    /** The agent as caller. */
    agent: authorization,
    agentId: publicId('Agent', agent.id),
    customerId: publicId('Customer', customerId),
    platformCustomerId: customer.platformCustomerId,
    accountId: publicId('InternalAccount', account.id),
    dollarsId: publicId('ExternalAccount', dollars.id),
    eurosId: publicId('ExternalAccount', euros.id),
  }
}
export type Acting = Awaited<ReturnType<typeof createActing>>

/** Another agent of the same customer. */
export const createColleague = async ({ platform, customerId }: Acting, policy: Policy = {}) => {
  const colleague = await createConnectedAgent(platform, { customerId: uuidOf(customerId), ...FREE, ...policy })
  return { agent: colleague.authorization as Authorization, agentId: publicId('Agent', colleague.agent.id) }
}

/** Sends this number of cents from the account to the EUR account. */
export const quoteOf = ({ accountId, eurosId }: Acting, amount: number): QuoteInput => ({
  source: { accountId },
  destination: { accountId: eurosId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: amount,
})
export const transferOf = ({ accountId, dollarsId }: Acting, amount: number) => ({
  source: { accountId },
  destination: { accountId: dollarsId },
  amount,
})
export const pullOf = ({ accountId, dollarsId }: Acting, amount: number) => ({
  source: { accountId: dollarsId },
  destination: { accountId },
  amount,
})

const place = ({ platform }: Acting, id: string) => ({ platformId_id: { platformId: platform.id, id: uuidOf(id) } })

export const balancesOf = async (acting: Acting) => {
  const where = place(acting, acting.accountId)
  const { balance, totalBalance } = await db.internalAccount.findUniqueOrThrow({ where })
  return [Number(balance), Number(totalBalance)]
}

export const changeAgent = async (acting: Acting, data: Prisma.AgentUncheckedUpdateInput) => {
  await db.agent.update({ where: place(acting, acting.agentId), data })
  forgetCallers()
}

export const usageOf = async (acting: Acting) => {
  const agent = await db.agent.findUniqueOrThrow({ where: place(acting, acting.agentId) })
  return [agent.dailyTransactionCount, Number(agent.dailySpend), Number(agent.monthlySpend)]
}

/** The statuses of the transaction, its quote and its action; `-` if there is none. */
export const statesOf = async (acting: Acting, transactionId: string) => {
  const { status, quote, agentActions } = await db.transaction.findUniqueOrThrow({
    where: place(acting, transactionId),
    include: { quote: true, agentActions: true },
  })
  return [status, quote?.status ?? '-', agentActions[0]?.status ?? '-'].join(' ')
}

/** Ends the quote's window. The job that expires it has not run yet. */
export const outliveQuote = async ({ platform }: Acting, id: string) => {
  await db.$executeRaw`
    update quotes set created_at = plus_seconds(created_at, -3600), expires_at = now() - interval '1 second'
    where platform_id = ${platform.id}::uuid and id = ${uuidOf(id)}::uuid`
}

export const unknown = (
  kind: 'Agent' | 'AgentAction' | 'Quote' | 'Transaction' | 'InternalAccount' | 'ExternalAccount',
) => publicId(kind, randomUUID())

export const eventually = async <T>(what: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
  const until = performance.now() + 20_000
  for (;;) {
    const value = await what()
    if (holds(value) || performance.now() > until) return value
    await wait(50)
  }
}
