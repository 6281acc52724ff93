// Card use that happens at once with other card use and with payments: no money is spent twice, and every step counts once.
import { expect, it } from 'vitest'
import { issuerOf } from '#cards/issuers.ts'
import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { tasks } from '#tasks.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { expectConsistent } from '#test/setup/cards/consistency.ts'
import {
  authorized,
  createShopper,
  owedTo,
  purchase,
  readTransaction,
  type Shopper,
  simulated,
} from '#test/setup/cards/shoppers.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createOutside, fundsOf, transferInput } from '#test/setup/payments/payers.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { authorize } from '#transactions/cards/authorize.ts'
import { applyReport } from '#transactions/cards/report.ts'
import type { CardStep } from '#transactions/cards/steps.ts'

/** The full campaign sets RACES=300. */
const RACES = Number(process.env['RACES'] ?? 2)
const SLOWLY = 3_600_000
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

const issuer = issuerOf('SANDBOX')
if (!issuer) throw new Error('No issuer')

/** The outcome of a step that the issuer reports. Refusals are errors of the domain. */
const report = async ({ platform }: Shopper, id: string, step: CardStep, amount: number, token: string) => {
  try {
    await inTransaction((tx) =>
      applyReport(tx, platform.id, issuer, {
        transactionId: id.split(':')[1] ?? '',
        step,
        amount: BigInt(amount),
        token,
      }),
    )
    return 'done'
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return 'refused'
    throw error
  }
}

/** Runs all waiting jobs of the platform at once, as several processes would. */
const runTogether = async ({ platform }: Shopper) => {
  await takeJobs()
  const waiting = await db.$queryRaw<{ id: string; name: string; payload: object }[]>`
    select job.id::text, task_identifier as name, stored.payload
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'platformId' = ${platform.id}`
  await Promise.all(waiting.map(({ name, payload }) => tasks.find((task) => task.name === name)?.run(payload as never)))
  await db.$executeRaw`delete from graphile_worker._private_jobs where id = any(${waiting.map(({ id }) => BigInt(id))}::bigint[])`
}

it(`16 authorizations against the money for 10, ${RACES} times`, { timeout: SLOWLY }, async () => {
  for (const race of upTo(RACES)) {
    const shopper = await createShopper({ balance: 10_000n })
    await Promise.all(
      upTo(16).map((n) =>
        cardFaces[n % 2]?.simulate(shopper.platform, shopper.cardId, 'authorization', purchase(1000)),
      ),
    )
    await runTogether(shopper)
    expect([race, await db.transaction.count({ where: { platformId: shopper.platform.id, type: 'CARD' } })]).toEqual([
      race,
      10,
    ])
    expect(await fundsOf(shopper.platform, shopper.accountId)).toEqual([0, 10_000])
    await expectConsistent(shopper.platform)
  }
})

it(`8 authorizations and 8 payments against the money for 10, ${RACES} times`, { timeout: SLOWLY }, async () => {
  for (const race of upTo(RACES)) {
    const shopper = await createShopper({ balance: 10_000n })
    const { platform, cardId, accountId } = shopper
    const outside = await createOutside(platform, '001', { ownerId: shopper.customerId })
    for (const n of upTo(8)) await cardFaces[n % 2]?.simulate(platform, cardId, 'authorization', purchase(1000))
    const [answers] = await Promise.all([
      Promise.all(
        upTo(8).map(() => callRest(platform, 'POST', '/transfer-out', transferInput(accountId, outside, 1000))),
      ),
      runTogether(shopper),
    ])
    const paid = answers.filter(({ status }) => status === 201).length
    const used = await db.transaction.count({ where: { platformId: platform.id, type: 'CARD' } })
    expect([race, paid + used]).toEqual([race, 10])
    await passTime(platform.id, 60)
    expect(await fundsOf(platform, accountId)).toEqual([0, 0])
    await expectConsistent(platform)
  }
})

it(`a clearing, its repetition, the end of the pull, an advice, a closing and the freezing of the card, ${RACES} times`, {
  timeout: SLOWLY,
}, async () => {
  const ends = new Set<string>()
  for (const race of upTo(RACES)) {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000, race % 3 === 2 ? '006' : 'BAR')
    await Promise.all([
      report(shopper, id, 'CLEARING', 700, `${id} a`),
      report(shopper, id, 'CLEARING', 700, `${id} a`).catch(() => 'the same at once'),
      report(shopper, id, 'CLEARING', 0, `${id} b`),
      report(shopper, id, 'AUTHORIZATION_ADVICE', 800, `${id} c`),
      report(shopper, id, 'RETURN', 300, `${id} d`),
      runTogether(shopper),
      cardFaces[race % 2]?.update(shopper.platform, shopper.cardId, { state: 'FROZEN' }),
    ])
    await runTogether(shopper)
    const found = await readTransaction(shopper, id)
    const settled = found.settledAmount.amount
    const returned = found.refundedAmount?.amount ?? 0
    expect([race, [0, 700].includes(settled)]).toEqual([race, true])
    const [free, total] = await fundsOf(shopper.platform, shopper.accountId)
    const owed = await owedTo(shopper)
    expect([race, free, total]).toEqual([race, total, 20_000 - settled + returned + owed])
    await expectConsistent(shopper.platform)
    ends.add(found.status)
  }
  console.log(`ends: ${[...ends].toSorted().join(', ')}`)
})

it(`four returns of 400 from what is settled for 1000, ${RACES} times`, { timeout: SLOWLY }, async () => {
  for (const race of upTo(RACES)) {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    await simulated(shopper, 'clearing', { cardTransactionId: id, amount: 1000 })
    const outcomes = await Promise.all(upTo(4).map((n) => report(shopper, id, 'RETURN', 400, `${id} ${n}`)))
    expect([race, outcomes.toSorted()]).toEqual([race, ['done', 'done', 'refused', 'refused']])
    expect((await fundsOf(shopper.platform, shopper.accountId))[0]).toBe(19_800)
    await expectConsistent(shopper.platform)
  }
})

it('a request for an authorization that arrives again is answered as before, also after the card was frozen or closed', async () => {
  const shopper = await createShopper()
  const token = await simulated(shopper, 'authorization', purchase(1000))
  const cardId = shopper.cardId.split(':')[1] ?? ''
  const use = { cardId, direction: 'DEBIT', isFinancial: false, amount: 1000n, currency: 'USD' } as const
  const merchant = { descriptor: 'COFFEE BAR', mcc: null, country: null }
  const request = (issuerTransactionToken: string) =>
    inTransaction((tx) => authorize(tx, shopper.platform.id, issuer, { ...use, merchant, issuerTransactionToken }))
  for (const state of ['FROZEN', 'CLOSED']) {
    await cardFaces[0]?.update(shopper.platform, shopper.cardId, { state })
    expect([state, await request(token), await request(`${token}2`)]).toEqual([state, 'APPROVED', 'DECLINED'])
  }
  expect(await fundsOf(shopper.platform, shopper.accountId)).toEqual([19_000, 20_000])
  await expectConsistent(shopper.platform)
})
