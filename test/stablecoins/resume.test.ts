// Mints and burns whose job was lost are continued (docs/domain/stablecoins.md#states-of-an-operation).
import { expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { resumeStablecoins } from '#stablecoins/resume.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createOperation, createStablecoinIssuer, type Issuer, post, quoteBody } from '#test/setup/stablecoins.ts'

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

const resume = () => resumeStablecoins.run({})

/** A mint whose job was lost a while ago. */
const loseMint = async (issuer: Issuer, ago: string) => {
  const { platform } = issuer
  const quote = await post(platform, `/stablecoins/${issuer.coin.id}/mint-quotes`, quoteBody(issuer, 'mint'))
  const made = (await post(platform, `/stablecoin-quotes/${quote.body.id}/execute`, {})).body
  await takeJobs()
  await db.$executeRaw`delete from graphile_worker._private_jobs where payload ->> 'platformId' = ${platform.id}`
  await db.$executeRaw`update stablecoin_operations set updated_at = now() - ${ago}::interval where id = ${uuidOf(made.id)}::uuid`
  return {
    id: made.id,
    status: async () => (await send(platform, 'GET', `/stablecoin-operations/${made.id}`)).body.status,
  }
}

it('an operation whose job was lost is continued', async () => {
  const issuer = await createStablecoinIssuer({ suffix: '001' })
  const mint = await loseMint(issuer, '5 minutes')
  await resume()
  await passTime(issuer.platform.id)
  expect(await mint.status()).toBe('COMPLETED')
})

it('the operations of one platform do not use up the time of the others', async () => {
  const busy = await createStablecoinIssuer({ suffix: '003' })
  const places = { coinId: uuidOf(busy.coin.id), accountId: uuidOf(busy.dollars), walletId: uuidOf(busy.wallet) }
  const createdAt = new Date(Date.now() - 3_600_000)
  for (let count = 0; count < 30; count += 1) {
    await createOperation(busy.platform, { ...places, status: 'PENDING_FUNDING', createdAt })
  }
  const mint = await loseMint(await createStablecoinIssuer({ suffix: '001' }), '5 minutes')
  // A run has time for 25 looks at this clock.
  let seconds = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    seconds += 1
    return seconds * 1_000
  })
  await resume()
  clock.mockRestore()
  expect(await mint.status()).toBe('PENDING_FUNDING')
})

it('operations that cannot be continued do not hold up the others, however many there are', async () => {
  const full = await createStablecoinIssuer({ suffix: '003', balance: 9_000_000_000_000_000n })
  const unpayable = await loseMint(full, '1 day')
  await db.$executeRaw`update stablecoin_operations set status = 'PENDING_FUNDING' where id = ${uuidOf(unpayable.id)}::uuid`
  await send(full.platform, 'POST', `/sandbox/internal-accounts/${full.dollars}/fund`, { amount: 1 })
  const places = { coinId: full.coin.id, accountId: full.dollars, walletId: full.wallet }
  const placed = Object.fromEntries(Object.entries(places).map(([name, id]) => [name, uuidOf(id)])) as typeof places
  const createdAt = new Date(Date.now() - 3_600_000)
  for (let count = 0; count < 100; count += 1) {
    await createOperation(full.platform, { ...placed, status: 'PENDING_FUNDING', createdAt })
  }
  const mint = await loseMint(await createStablecoinIssuer({ suffix: '001' }), '5 minutes')
  await resume()
  expect([await unpayable.status(), await mint.status()]).toEqual(['PENDING_FUNDING', 'PENDING_FUNDING'])
})
