// Every operation on cards, each with success, through a gateway that runs its jobs.
import { expect } from 'vitest'
import { db } from '#database/db.ts'
import { eventually } from '#test/setup/agents/acting-agents.ts'
import { type CardFace, cardFaces, type Simulation } from './card-faces.ts'
import { createShopper, purchase } from './shoppers.ts'

export const useEveryCardOperation = async (): Promise<void> => {
  const [, face] = cardFaces as readonly [CardFace, CardFace]
  const { platform, customerId, accountId } = await createShopper()
  const order = { cardholderId: customerId, form: 'VIRTUAL', fundingSources: [accountId], platformCardId: 'mine' }
  const { body: card } = await face.create(platform, order)
  await eventually(
    () => db.card.findFirstOrThrow({ where: { platformId: platform.id, id: card.id.split(':')[1] } }),
    ({ state }) => state === 'ACTIVE',
  )
  await face.update(platform, card.id, { state: 'FROZEN' })
  await face.update(platform, card.id, { state: 'ACTIVE', fundingSources: [accountId] })
  await face.reveal(platform, card.id)
  const simulate = async (simulation: Simulation, input: object): Promise<string> => {
    const { status, body } = await face.simulate(platform, card.id, simulation, input)
    expect([simulation, status]).toEqual([simulation, 202])
    return body.issuerTransactionToken
  }
  await simulate('balance_inquiry', { merchant: purchase(1).merchant })
  for (const use of [
    'credit_authorization',
    'financial_authorization',
    'financial_credit_authorization',
    'credit_authorization_advice',
  ] as const) {
    await simulate(use, purchase(100))
  }
  const token = await simulate('authorization', purchase(1000))
  const rowWith = (amount: 'authorizedAmount' | 'settledAmount' | 'refundedAmount', value: bigint) =>
    eventually(
      () => db.transaction.findFirst({ where: { platformId: platform.id, issuerTransactionToken: token } }),
      (row) => row?.[amount] === value,
    )
  const cardTransactionId = `CardTransaction:${(await rowWith('authorizedAmount', 1000n))?.id}`
  await simulate('authorization_advice', { cardTransactionId, amount: 1500 })
  await rowWith('authorizedAmount', 1500n)
  await simulate('clearing', { cardTransactionId, amount: 1500 })
  await rowWith('settledAmount', 1500n)
  await simulate('return', { cardTransactionId, amount: 500 })
  await rowWith('refundedAmount', 500n)
  await simulate('return_reversal', { cardTransactionId })
  expect((await rowWith('refundedAmount', 0n))?.status).toBe('SETTLED')
}
