// Transfers that wait for the same account are written together. Each has its own outcome, as if it had come alone.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { waiting } from '#test/setup/credentials/interleaved.ts'
import { startGateway, through } from '#test/setup/gateway-process.ts'
import { createPayer, fundsOf, type Payer, transferInput } from '#test/setup/payments/payers.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'

const AMOUNT = 1_000
const transferOut = ({ platform, dollars, outside }: Payer, key?: string, amount = AMOUNT, more: object = {}) =>
  send(
    platform,
    'POST',
    '/transfer-out',
    transferInput(dollars, outside, amount, more),
    key === undefined ? {} : { 'idempotency-key': key },
  )
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const outcomesOf = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => (status < 300 ? 'done' : (body.details?.reason ?? body.code)))
const countOf = (answers: readonly Answer[], outcome: string) =>
  outcomesOf(answers).filter((one) => one === outcome).length
const transfersOf = ({ platform }: Payer) => db.transaction.findMany({ where: { platformId: platform.id } })

/** Keeps the account locked while `work` runs, so that all its transfers wait for each other. */
const whileLocked = async <T>({ platform, dollars }: Payer, work: () => Promise<T>): Promise<T> =>
  db.$transaction(
    async (tx) => {
      const id = dollars.slice(dollars.indexOf(':') + 1)
      await tx.$queryRaw`
        select from internal_accounts where platform_id = ${platform.id}::uuid and id = ${id}::uuid for no key update`
      return work()
    },
    { timeout: 20_000 },
  )

/** Resolves when a transaction waits for the account. */
const untilOneWaits = async () => {
  while ((await waiting('internal_accounts')) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

it('an account pays those of forty concurrent transfers that it can afford, in a few transactions', async () => {
  const payer = await createPayer({ balance: BigInt(25 * AMOUNT) })
  let answers: Answer[] = []
  const statements = await statementsOf(async () => {
    answers = await Promise.all(many(40, () => transferOut(payer)))
  })
  expect([countOf(answers, 'done'), countOf(answers, 'INSUFFICIENT_BALANCE')]).toEqual([25, 15])
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([0, 25 * AMOUNT])
  expect(await db.ledgerHold.count({ where: { platformId: payer.platform.id } })).toBe(25)
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(25)
  expect((await transfersOf(payer)).map(({ id }) => `Transaction:${id}`).toSorted()).toEqual(ids.toSorted())
  const begun = statements.filter((text) => text === 'begin').length
  console.log(`transfers 40, transactions ${begun}`)
  expect(begun).toBeLessThan(20)
})

it('a large amount that is refused does not affect the smaller ones behind it', async () => {
  const payer = await createPayer({ balance: BigInt(10 * AMOUNT) })
  const answers = await Promise.all(
    many(20, (index) => transferOut(payer, undefined, index % 2 === 0 ? AMOUNT : 9 * AMOUNT)),
  )
  const paid = (await transfersOf(payer)).reduce((sum, { sentAmount }) => sum + Number(sentAmount), 0)
  expect(countOf(answers, 'done') + countOf(answers, 'INSUFFICIENT_BALANCE')).toBe(20)
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([10 * AMOUNT - paid, 10 * AMOUNT])
  expect(paid).toBe(10 * AMOUNT)
})

it('calls with the same idempotency key have one effect, whichever calls they wait with', async () => {
  const payer = await createPayer()
  const keys = many(4, () => randomUUID() as string)
  const answers = await Promise.all(many(32, (index) => transferOut(payer, keys[index % keys.length])))
  const done = answers.filter(({ status }) => status === 201)
  expect(new Set(done.map(({ body }) => body.id)).size).toBe(keys.length)
  expect(countOf(answers, 'done') + countOf(answers, 'CONFLICT')).toBe(32)
  expect(await transfersOf(payer)).toHaveLength(keys.length)
  for (const key of keys) expect((await transferOut(payer, key)).status).toBe(201)
  expect(await transfersOf(payer)).toHaveLength(keys.length)
})

it('a row that the database refuses fails its own call only', async () => {
  await db.$executeRaw`
    create function refuse_row() returns trigger language plpgsql as $$ begin
      if new.description = 'refused' then raise exception 'refused' using errcode = 'check_violation'; end if;
      return new;
    end $$`
  await db.$executeRaw`create trigger refuse_row before insert on transactions for each row execute function refuse_row()`
  const payer = await createPayer()
  const calls = await whileLocked(payer, async () => {
    const all = many(12, (index) =>
      transferOut(payer, undefined, AMOUNT, index === 5 ? { remittanceInformation: 'refused' } : {}),
    )
    await untilOneWaits()
    return all
  })
  const answers = await Promise.all(calls)
  await db.$executeRaw`drop function refuse_row cascade`
  expect(answers.map(({ status }) => status)).toEqual(many(12, (index) => (index === 5 ? 500 : 201)))
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000 - 11 * AMOUNT, 100_000])
})

const gateways: { kill(): Promise<void> }[] = []
const start = async () => {
  const gateway = await startGateway()
  gateways.push(gateway)
  return gateway
}
afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())))

it('a killed gateway leaves nothing of the transfers that waited, and repeated calls pay each once', async () => {
  const payer = await createPayer({ balance: BigInt(6 * AMOUNT) })
  // The other tests end before this one starts its gateways, whose jobs would settle their payments.
  const own = await start()
  const keys = many(10, () => randomUUID() as string)
  const callAll = (gateway: typeof own) =>
    keys.map((key) => through(gateway, () => transferOut(payer, key)).catch(() => undefined))
  const first = callAll(own)
  await whileLocked(payer, async () => {
    await untilOneWaits()
    await own.kill()
  })
  await Promise.all(first)
  const next = await start()
  const answers: Answer[] = []
  for (const key of keys) {
    // A key of a dead call can be used again after ten seconds.
    await db.$executeRaw`update idempotent_replies set created_at = now() - interval '20 seconds' where status is null`
    answers.push(await through(next, () => transferOut(payer, key)))
  }
  expect([countOf(answers, 'done'), countOf(answers, 'INSUFFICIENT_BALANCE')]).toEqual([6, 4])
  expect(await transfersOf(payer)).toHaveLength(6)
})
