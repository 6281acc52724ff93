// Uniqueness: a quote has one payment and one waiting action, and a reference identifies one quote of its platform.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { createPayer, quoteInput } from '#test/setup/payments/payers.ts'
import { type PaymentFace, paymentFaces } from '#test/setup/payments/payment-faces.ts'
import {
  createAgent,
  createAgentActions,
  createCustomer,
  createPlatform,
  createQuote,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const DUPLICATE = { code: 'P2002' }

it('a quote has one payment', async () => {
  const platform = await createPlatform()
  const { id: quoteId } = await createQuote(platform)
  await createTransactions(platform, [outgoing({ quoteId })])
  await expect(createTransactions(platform, [outgoing({ quoteId })])).rejects.toMatchObject(DUPLICATE)
  // Payments without a quote are not limited.
  await createTransactions(platform, [outgoing(), outgoing()])
})

it('a quote has one waiting action at a time', async () => {
  const platform = await createPlatform()
  const { id: customerId } = await createCustomer(platform)
  const { id: agentId } = await createAgent(platform, { customerId })
  const { id: quoteId } = await createQuote(platform, { customerId })
  const action = { agentId, customerId, type: 'EXECUTE_QUOTE', quoteId, amount: null, currency: null } as const
  await createAgentActions(platform, [{ ...action, status: 'FAILED' }, action])
  await expect(createAgentActions(platform, [action])).rejects.toMatchObject(DUPLICATE)
})

it('a reference identifies one quote of its platform', async () => {
  const [ours, theirs] = [await createPlatform(), await createPlatform()]
  const funded = async (platform: Platform) => {
    const { id: quoteId } = await createQuote(platform)
    return createTransactions(platform, [outgoing({ quoteId, reconciliationReference: 'AAAAAAAA2345' })])
  }
  await funded(ours)
  await expect(funded(ours)).rejects.toMatchObject(DUPLICATE)
  await funded(theirs)
})

// On one Postgres only: the trigger uses a sequence that the other nodes do not have.
it.skipIf(isDistributed).each(paymentFaces)(
  'over $name, a reference that is taken is generated again',
  async (face) => {
    const { platform, dollars } = await createPayer()
    const input = { ...quoteInput('', dollars), source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' } }
    // The first two get the same reference.
    await db.$executeRawUnsafe('create sequence draws')
    await db.$executeRawUnsafe(`create function draw() returns trigger language plpgsql as
    $$begin if nextval('draws') <= 2 then new.reconciliation_reference := 'AAAAAAAA2345'; end if; return new; end$$`)
    await db.$executeRawUnsafe(
      'create trigger drawn before insert on transactions for each row execute function draw()',
    )
    try {
      const quotes = [await face.createQuote(platform, input), await face.createQuote(platform, input)]
      expect(quotes.map(({ status }) => status)).toEqual([201, 201])
      const [one, two] = await Promise.all(quotes.map(({ body }) => referenceOf(face, platform, body.transactionId)))
      expect(one).toBe('AAAAAAAA2345')
      expect(two).toMatch(/^[A-Z2-7]{12}$/)
      expect(two).not.toBe(one)
      expect(await db.quote.count({ where: { platformId: platform.id } })).toBe(2)
    } finally {
      await db.$executeRawUnsafe('drop function draw cascade')
      await db.$executeRawUnsafe('drop sequence draws')
    }
  },
)

const referenceOf = async (face: PaymentFace, platform: Platform, id: string): Promise<string> =>
  (await face.readTransaction(platform, id)).body.reconciliationInstructions.reference
