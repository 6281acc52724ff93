// The platform decides on incoming payments that wait for it: the same over both faces.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming } from '#test/setup/world.ts'

describe.each(actionFaces)('over $name', (face) => {
  describe('an incoming UMA payment', () => {
    const receive = async () => {
      const platform = await createPlatform()
      const [row] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
      return { owner: basic(platform), id: publicId('Transaction', row?.id ?? '') }
    }
    const stored = (id: string) => db.transaction.findFirstOrThrow({ where: { id: uuidOf(id) } })

    it('is approved with facts about the receiver, and continues', async () => {
      const { owner, id } = await receive()
      const receiverCustomerInfo = { FULL_NAME: 'Ada Lovelace' }
      const { status, body } = await face.approveTransaction(owner, id, { receiverCustomerInfo })
      expect([status, body.id, body.status]).toEqual([200, id, 'PROCESSING'])
      expect((await stored(id)).receiverCustomerInfo).toEqual(receiverCustomerInfo)
      await takeJobs()
      const jobs = await db.$queryRaw<object[]>`
        select from graphile_worker._private_jobs where payload ->> 'transactionId' = ${uuidOf(id)}`
      expect(jobs).toHaveLength(1)
    })

    it('is rejected with the reason in its timeline', async () => {
      const { owner, id } = await receive()
      const { status, body } = await face.rejectTransaction(owner, id, { reason: 'Unknown sender' })
      expect([status, body.status, body.failureReason]).toEqual([200, 'REJECTED', undefined])
      const last = { where: { transactionId: uuidOf(id) }, orderBy: { sequence: 'desc' } } as const
      expect(await db.transactionStateChange.findFirst(last)).toMatchObject({
        toStatus: 'REJECTED',
        reason: 'Unknown sender',
      })
    })

    it('is decided once', async () => {
      const { owner, id } = await receive()
      const verbs = ['approveTransaction', 'rejectTransaction', 'approveTransaction', 'rejectTransaction'] as const
      const answers = await Promise.all(verbs.map((verb) => face[verb](owner, id)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      const { body } = await face.approveTransaction(owner, id)
      expect(body.code).toBe('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL')
    })

    it('facts that are not a map of strings are 400', async () => {
      const { owner, id } = await receive()
      for (const receiverCustomerInfo of ['x', { FULL_NAME: 1 }, ['x']]) {
        const { status, body } = await face.approveTransaction(owner, id, { receiverCustomerInfo })
        expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
      }
      expect((await stored(id)).status).toBe('PENDING')
    })
  })
})
