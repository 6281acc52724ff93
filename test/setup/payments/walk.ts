// A platform with everything that moves money, and a random walk through it.
import { createHash } from 'node:crypto'
import { ApiError } from '#core/errors.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { tasks } from '#tasks.ts'
import { createActing, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { createShopper } from '#test/setup/cards/shoppers.ts'
import { createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { createStablecoinIssuer } from '#test/setup/stablecoins.ts'
import { createExternalAccount, createInternalAccount } from '#test/setup/world.ts'
import { waitingOf } from './due-jobs.ts'
import { createOutside } from './payers.ts'
import type { Answer } from './payment-faces.ts'

export const feesOf = (variableFeeBps: number, amount: number) => ({
  feeConfigs: [
    {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps,
      fixedFee: { amount, currency: { code: 'USD' } },
    },
  ],
})

/** A platform with fees, agents, cards and a stablecoin, and accounts in currencies with 0, 2, 6 and 8 decimals. */
export const createWorld = async () => {
  const issuer = await createStablecoinIssuer()
  const { platform } = issuer
  await callRest(platform, 'PATCH', '/config', feesOf(37, 3))
  const own = await createInternalAccount(platform, { customerId: null, currency: 'EUR', balance: 20_000n })
  const european = await createEuropeanPayer({}, platform)
  const shopper = await createShopper({ platform })
  const agents = [
    await createActing({
      platform,
      balance: 50_000n,
      approvalThresholdAmount: 4_000n,
      approvalThresholdCurrency: 'USD',
    }),
    await createActing({ platform, balance: 50_000n, defaultExecutionMode: 'APPROVAL_REQUIRED' }),
  ]
  const customers = [shopper.customerId, ...agents.map(({ customerId }) => customerId)]
  const inside = [publicId('InternalAccount', own.id), european.dollars, european.euros, shopper.accountId]
  const outside: string[] = [european.iban]
  for (const { customerId, accountId, eurosId } of agents) {
    inside.push(accountId)
    outside.push(eurosId)
    for (const [currency, balance] of [
      ['EUR', 30_000n],
      ['JPY', 90_000n],
      ['USDC', 9_000_000n],
      ['BTC', 900_000n],
    ] as const) {
      const type = currency.length > 3 || currency === 'BTC' ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT'
      const account = await createInternalAccount(platform, { customerId: uuidOf(customerId), type, currency, balance })
      inside.push(publicId('InternalAccount', account.id))
    }
  }
  const people = [...agents, shopper].map(({ customerId, accountId }) => ({
    customerId,
    accountId,
    banks: [] as string[],
  }))
  for (const { customerId, banks } of people) {
    for (const suffix of ['001', '002', '003', '005', '006', '007']) {
      banks.push(
        await createOutside(platform, suffix, {
          ownerId: customerId,
          ...(suffix < '003' && { paymentRails: ['ACH'] }),
        }),
      )
    }
    outside.push(...banks)
  }
  const wallets = [issuer.wallet]
  for (const suffix of ['002', '003', '005']) {
    const { id } = await createExternalAccount(platform, {
      customerId: uuidOf(issuer.customerId),
      currency: 'USDB',
      accountType: 'SPARK_WALLET',
      accountInfo: { address: `spark1address${suffix}` },
    })
    wallets.push(publicId('ExternalAccount', id))
  }
  return { platform, issuer, shopper, agents, people, customers, inside, outside, wallets }
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** What happens is drawn from the seed. */
export class Walk {
  readonly log: string[] = []
  private draws = 0
  readonly world: World
  readonly seed: number
  readonly isProduction: boolean
  constructor(world: World, seed: number, isProduction: boolean) {
    this.world = world
    this.seed = seed
    this.isProduction = isProduction
  }

  below(count: number): number {
    this.draws += 1
    return createHash('sha256').update(`${this.seed} ${this.draws}`).digest().readUInt32BE() % count
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
  amount(): number {
    return 1 + this.below(this.pick([3, 100, 5_000, 20_000]))
  }
  side() {
    return this.pick(['SENDING', 'RECEIVING'] as const)
  }

  /** Makes the call, or the same call several times at once. */
  async call(name: string, make: () => Promise<Answer>): Promise<Answer> {
    const answers = await Promise.all(Array.from({ length: this.pick([1, 1, 2]) }, make))
    for (const { status, body } of answers) {
      this.log.push(`${name}: ${status} ${body?.code ?? body?.id}`)
      if (status >= 500 && status !== 501 && status !== 503) throw new Error(`${name}: ${JSON.stringify(body)}`)
    }
    return answers.find(({ status }) => status < 300) ?? (answers[0] as Answer)
  }

  async oneOf(where: object): Promise<string | undefined> {
    const rows = await db.transaction.findMany({
      where: { platformId: this.world.platform.id, ...where },
      orderBy: { id: 'asc' },
    })
    return this.pick(rows)?.id
  }

  async quoteIn(where: object) {
    const { platform } = this.world
    return this.pick(await db.quote.findMany({ where: { platformId: platform.id, ...where }, orderBy: { id: 'asc' } }))
  }

  /** Some of the waiting jobs run in any order, some of them twice at once. They all stay, and run again later. */
  async runJobs() {
    const { platform } = this.world
    const jobs = await waitingOf(platform.id)
    for (let left = this.below(6); left > 0; left -= 1) {
      const job = this.pick(jobs)
      if (!job) return
      this.log.push(`job ${job.name}`)
      const task = tasks.find(({ name }) => name === job.name)
      const run = async () => {
        try {
          await task?.run(job.payload as never)
        } catch (error) {
          // It lost three races for a lock, and is tried again later.
          if (!(error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE')) throw error
        }
      }
      await Promise.all(Array.from({ length: this.pick([1, 1, 2]) }, run))
    }
  }
}
