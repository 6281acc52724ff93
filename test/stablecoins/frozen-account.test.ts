// The dollars of a burn reach an active account only (docs/domain/stablecoins.md#money).
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createStablecoinIssuer, post, quoteBody } from '#test/setup/stablecoins.ts'

it('a burn fails if its account is frozen when the tokens are redeemed', async () => {
  const issuer = await createStablecoinIssuer({ suffix: '001' })
  const { platform, coin, dollars } = issuer
  const { body: quote } = await post(platform, `/stablecoins/${coin.id}/burn-quotes`, quoteBody(issuer, 'burn'))
  const { body: burn } = await post(platform, `/stablecoin-quotes/${quote.id}/execute`, {})
  await db.$executeRaw`update internal_accounts set status = 'FROZEN' where platform_id = ${platform.id}::uuid`
  await passTime(platform.id)
  expect((await send(platform, 'GET', `/stablecoin-operations/${burn.id}`)).body.status).toBe('FAILED')
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
})
