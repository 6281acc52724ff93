// Transactions over both faces: payments of every direction are listed, found and read, one is cancelled, one is confirmed.
import { describe, expect, it } from 'vitest'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createOutside, createPayer, fundsOf, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { type SandboxFace, sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import type { Platform } from '#test/setup/world.ts'

type Filter = Readonly<Record<string, string>>

/** The ids of a list, newest first. The filter is the query of REST. */
const LISTS: Readonly<Record<SandboxFace['name'], (platform: Platform, filter: Filter) => Promise<string[]>>> = {
  REST: async (platform, filter) => {
    const { body } = await send(platform, 'GET', `/transactions?${new URLSearchParams(filter)}`)
    return body.data.map(({ id }: { id: string }) => id)
  },
  GraphQL: async (platform, { status, type, ...filter }) => {
    const { body } = await callGraphQL(
      basic(platform),
      'query ($filter: TransactionFilter) { transactions(first: 20, filter: $filter) { nodes { id } } }',
      { filter: { ...filter, ...(status && { statuses: [status] }), ...(type && { types: [type] }) } },
    )
    return body.data.transactions.nodes.map(({ id }: { id: string }) => id)
  },
}

describe.each(sandboxFaces)('over $name', (face) => {
  const payments = paymentFaces.find(({ name }) => name === face.name)
  if (!payments) throw new Error(`No payments over ${face.name}`)

  it('payments in and out are found and read; one is cancelled, the receipt of another is confirmed', async () => {
    const { platform, dollars, outside, customerId } = await createPayer()
    const slow = await createOutside(platform, '003', { paymentRails: ['WIRE'] })
    const { body: first } = await payments.createQuote(platform, quoteInput(dollars, slow, 10_000))
    await payments.executeQuote(platform, first.id)
    const { body: second } = await payments.transferOut(platform, transferInput(dollars, outside, 2_500))
    const { body: third } = await payments.transferIn(platform, transferInput(outside, dollars, 1_000))
    const [out, sent, pulled] = [first.transactionId, second.id, third.id]

    const list = (filter: Filter = {}) => LISTS[face.name](platform, filter)
    expect(await list()).toEqual([pulled, sent, out])
    expect(await list({ type: 'INCOMING' })).toEqual([pulled])
    expect(await list({ customerId })).toEqual([pulled, sent, out])
    expect(await list({ accountIdentifier: outside })).toEqual([pulled, sent])
    expect(await list({ status: 'FAILED' })).toEqual([])
    expect((await payments.readTransaction(platform, out)).body).toMatchObject({
      id: out,
      type: 'OUTGOING',
      status: 'PROCESSING',
      quoteId: first.id,
      sentAmount: { amount: 10_000, currency: { code: 'USD' } },
    })

    await face.cancel(platform, out, { reason: 'Ordered twice' })
    await face.advanceTime(platform, { seconds: 300 })
    expect((await payments.readTransaction(platform, out)).body).toMatchObject({
      status: 'COMPLETED',
      refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION' },
    })
    expect(await list({ status: 'COMPLETED' })).toEqual([pulled, sent, out])
    expect(await fundsOf(platform, dollars)).toEqual([98_500, 98_500])

    const { body } = await face.confirm(platform, sent, { receiptDeliveryConfirmedAt: '2026-01-31T09:30:00Z' })
    expect(body).toMatchObject({ id: sent, receiptDeliveryConfirmedAt: '2026-01-31T09:30:00.000Z' })
    expect((await payments.readTransaction(platform, sent)).body).toEqual(body)
  })
})
