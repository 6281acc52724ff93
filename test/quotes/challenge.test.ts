// The challenge of a quote that waits for Strong Customer Authentication, over GraphQL and REST.
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPayer, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { createUmaDemand, createUmaProvider } from '#test/setup/uma/rows.ts'
import { createScaChallenge } from '#test/setup/world.ts'

const CHALLENGES: readonly [
  by: string,
  given: Omit<Prisma.ScaChallengeUncheckedCreateInput, 'platformId' | 'id' | 'quoteId' | 'expiresAt'>,
][] = [
  [
    'a passkey',
    {
      factor: 'PASSKEY',
      availableFactors: ['PASSKEY', 'SMS_OTP'],
      purpose: 'PAYOUT',
      passkeyAssertionOptions: { challenge: 'abc', rpId: 'bank.example' },
      passkeyAllowedOrigins: ['https://bank.example'],
    },
  ],
  ['a code', { factor: 'SMS_OTP', availableFactors: ['SMS_OTP'], purpose: 'CURRENCY_CONVERSION' }],
]

describe('a quote that waits for Strong Customer Authentication', () => {
  it.each(CHALLENGES)('has its challenge, by %s', async (_by, given) => {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    expect(quote).not.toHaveProperty('scaChallenge')
    await db.quote.updateMany({ where: { platformId: platform.id }, data: { status: 'PENDING_AUTHORIZATION' } })
    const { id } = await createScaChallenge(platform, { quoteId: quote.id.split(':')[1], ...given })
    const challenge = {
      id: `ScaChallenge:${id}`,
      expiresAt: '2030-01-01T00:00:00.000Z',
      passkeyAssertionOptions: null,
      passkeyAllowedOrigins: null,
      ...given,
    }
    const { body } = await send(platform, 'GET', `/quotes/${quote.id}`)
    expect(body.status).toBe('PENDING_AUTHORIZATION')
    expect(body.scaChallenge).toEqual(challenge)
    const told = await callGraphQL(
      basic(platform),
      `query ($id: ID!) { node(id: $id) { ... on Quote { scaChallenge {
        id expiresAt factor availableFactors purpose passkeyAssertionOptions passkeyAllowedOrigins
      } } } }`,
      { id: quote.id },
    )
    expect(told.body.data.node.scaChallenge).toEqual(challenge)
  })

  it('cannot be authorized after the demand for its UMA payment has expired', async () => {
    const { platform, dollars, iban } = await createEuropeanPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    const transactionId = quote.transactionId.split(':')[1]
    const { id: providerId } = await createUmaProvider(platform)
    const expiresAt = new Date(Date.now() + 60_000)
    await createUmaDemand(platform, { providerId, transactionId, expiresAt })
    const { body } = await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    expect(body.status).toBe('PENDING_AUTHORIZATION')
    expect(body.scaChallenge.expiresAt).toBe(expiresAt.toISOString())
  })
})
