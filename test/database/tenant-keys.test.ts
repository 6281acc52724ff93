// The database itself separates platforms, whatever the code above it does.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import {
  cardUse,
  createAgent,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createQuote,
  createScaChallenge,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

it('the database refuses a reference from a row of one platform to a row of another', async () => {
  const [ours, theirs] = await Promise.all([createPlatform(), createPlatform()])
  const their = await everythingOf(theirs)
  const customer = await createCustomer(ours)
  const account = await createInternalAccount(ours, { customerId: customer.id })
  const ourAccount = { platformId: ours.id, id: account.id }
  const mine = { customerId: customer.id, platformCustomerId: customer.platformCustomerId }
  const inside = (columns: object) => createTransactions(ours, [outgoing({ ...mine, ...columns })])
  const from = { sourceType: 'ACCOUNT', sourceCurrency: null }
  const to = { destinationType: 'ACCOUNT', destinationUmaAddress: null }

  const attempts: Record<string, () => Promise<unknown>> = {
    'internal account of their customer': () => createInternalAccount(ours, { customerId: their.customer.id }),
    'external account of their customer': () => createExternalAccount(ours, { customerId: their.customer.id }),
    'card of their customer': () => createCard(ours, { customerId: their.customer.id, accountId: account.id }),
    'card on their account': () => createCard(ours, { customerId: customer.id, accountId: their.account.id }),
    'agent of their customer': () => createAgent(ours, { customerId: their.customer.id }),
    'quote of their customer': () => createQuote(ours, { customerId: their.customer.id }),
    'quote from their account': () =>
      createQuote(ours, { sourceType: 'ACCOUNT', sourceInternalAccountId: their.account.id }),
    'quote to their account': () =>
      createQuote(ours, {
        destinationType: 'ACCOUNT',
        destinationUmaAddress: null,
        destinationExternalAccountId: their.bank.id,
      }),
    'challenge of their quote': () => createScaChallenge(ours, { quoteId: their.quote.id }),
    'transaction of their customer': () =>
      inside({ customerId: their.customer.id, platformCustomerId: their.customer.platformCustomerId }),
    'transaction from their internal account': () => inside({ ...from, sourceInternalAccountId: their.account.id }),
    'transaction from their external account': () => inside({ ...from, sourceExternalAccountId: their.bank.id }),
    'transaction to their internal account': () => inside({ ...to, destinationInternalAccountId: their.account.id }),
    'transaction to their external account': () => inside({ ...to, destinationExternalAccountId: their.bank.id }),
    'transaction paid by their customer': () => inside({ sourceCustomerId: their.customer.id }),
    'transaction of their agent': () => inside({ agentId: their.agent.id }),
    'transaction of their quote': () => inside({ quoteId: their.quote.id }),
    'card transaction on their card': () =>
      createTransactions(ours, [cardUse({ ...mine, sourceInternalAccountId: account.id, cardId: their.card.id })]),
    'card transaction on their account': () =>
      createTransactions(ours, [cardUse({ ...mine, sourceInternalAccountId: their.account.id })]),
    'state change of their transaction': () =>
      db.transactionStateChange.create({
        data: {
          platformId: ours.id,
          transactionId: their.transactionId,
          sequence: 9,
          fromStatus: 'PENDING',
          toStatus: 'COMPLETED',
        },
      }),
    'our account assigned to their customer': () =>
      db.internalAccount.updateMany({ where: ourAccount, data: { customerId: their.customer.id } }),
    'our account moved to their platform': () =>
      db.internalAccount.updateMany({ where: ourAccount, data: { platformId: theirs.id } }),
  }
  // Citus refuses to move a row to another platform before it looks at the keys.
  const REFUSED = isDistributed ? /^P20(03|39)$/ : /^P2003$/
  for (const [attempt, run] of Object.entries(attempts)) {
    await expect(run(), attempt).rejects.toMatchObject({ code: expect.stringMatching(REFUSED) })
  }
  console.log(`references to another platform tried ${Object.keys(attempts).length}, accepted 0`)
  // The same reference within the platform is accepted.
  await inside({ ...from, sourceInternalAccountId: account.id, sourceCustomerId: customer.id })
})

it('every foreign key between tables with a platform includes the platform', async () => {
  const keys = await db.$queryRaw<{ name: string; carries: boolean }[]>`
    select conname as name, exists (
      select from unnest(conkey, confkey) as pair (here, there)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = here and a.attname = 'platform_id'
      join pg_attribute b on b.attrelid = confrelid and b.attnum = there and b.attname = 'platform_id') as carries
    from pg_constraint
    where contype = 'f' and confrelid in (select attrelid from pg_attribute where attname = 'platform_id')`
  console.log(`foreign keys between tables of a platform: ${keys.length}`)
  expect(keys.length).toBeGreaterThan(25)
  expect(keys.filter(({ carries }) => !carries)).toEqual([])
})

const everythingOf = async (platform: Platform) => {
  const customer = await createCustomer(platform)
  const owned = { customerId: customer.id }
  const account = await createInternalAccount(platform, owned)
  const bank = await createExternalAccount(platform, owned)
  const card = await createCard(platform, { ...owned, accountId: account.id })
  const agent = await createAgent(platform, owned)
  const quote = await createQuote(platform, owned)
  const [transaction] = await createTransactions(platform, [incoming()])
  return { customer, account, bank, card, agent, quote, transactionId: transaction?.id ?? '' }
}
