// A platform to which everything happens that has an event.
import { db } from '#database/db.ts'
import type { TransactionItemType as Type } from '#generated/prisma/client.ts'
import { createInvitation } from '#test/setup/invitations.ts'
import { createVerification } from '#test/setup/verification/rows.ts'
import {
  cardUse,
  createAgent,
  createAgentActions,
  createBulkJob,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'
import { VERIFICATION_STATES } from '#verification/verification.ts'

export interface Transition {
  readonly type: Type
  readonly from: string
  readonly to: string
}

export const findTransitions = () => db.$queryRaw<Transition[]>`
  select type::text, from_status::text as "from", to_status::text as "to" from transaction_transitions`

/** A transaction of this type. A card pays from the account. */
export const formOf = (type: Type, sourceInternalAccountId: string) =>
  ({ INCOMING: () => incoming(), OUTGOING: () => outgoing(), CARD: () => cardUse({ sourceInternalAccountId }) })[type]()

/** Makes events of all types but TEST. */
export const makeEveryEvent = async (platform: Platform): Promise<void> => {
  const { id: customerId } = await createCustomer(platform)
  const { id: accountId } = await createInternalAccount(platform, { customerId })
  const key = (id: string) => ({ where: { platformId_id: { platformId: platform.id, id } } })
  for (const { type, from, to } of await findTransitions()) {
    const reason = (status: string) => (status === 'FAILED' ? { failureReason: 'QUOTE_EXECUTION_FAILED' as const } : {})
    const [row] = await createTransactions(platform, [
      { ...formOf(type, accountId), status: from as never, ...reason(from) },
    ])
    await db.transaction.update({ ...key(row?.id ?? ''), data: { status: to as never, ...reason(to) } })
  }
  for (const type of ['INCOMING', 'OUTGOING'] as const)
    for (const end of ['COMPLETED', 'FAILED'] as const) {
      const [row] = await createTransactions(platform, [formOf(type, accountId)])
      const refund = { refundReference: 'R', refundInitiatedAt: new Date() }
      await db.transaction.update({ ...key(row?.id ?? ''), data: { ...refund, refundStatus: 'PENDING' } })
      await db.transaction.update({ ...key(row?.id ?? ''), data: { refundStatus: end } })
    }
  for (const customerType of ['INDIVIDUAL', 'BUSINESS'] as const)
    for (const verificationStatus of ['PENDING', 'APPROVED', 'REJECTED'] as const) {
      const { id } = await createCustomer(platform, { customerType, verificationStatus: 'UNVERIFIED' })
      await db.customer.update({ ...key(id), data: { verificationStatus } })
    }
  for (const status of ['COMPLETED', 'FAILED']) await createBulkJob(platform, { status })
  const funded = await createInternalAccount(platform, { customerId, balance: 5n })
  const card = await createCard(platform, { customerId, accountId })
  await db.card.update({ ...key(card.id), data: { state: 'FROZEN', accountId: funded.id } })
  await db.internalAccount.update({ ...key(funded.id), data: { status: 'FROZEN' } })
  const { id: agentId } = await createAgent(platform, { customerId })
  const { id: externalAccountId } = await createExternalAccount(platform, { customerId })
  await createAgentActions(platform, [{ agentId, customerId, internalAccountId: accountId, externalAccountId }])
  for (const status of VERIFICATION_STATES) {
    const { id } = await createCustomer(platform)
    await createVerification(platform, {
      customerId: id,
      status,
      ...(status === 'RESOLVE_ERRORS' && { reason: 'No name' }),
    })
  }

  const { code } = await createInvitation(platform, { inviterId: customerId, umaAddress: '$ada@bank.example' })
  await db.$executeRaw`
    update invitations set status = 'CLAIMED', invitee_uma = '$grace@bank.example', claimed_at = now() where code = ${code}`
}
