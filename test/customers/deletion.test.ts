// A platform deletes its customers, over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { type CustomerAnswer, customerFaces } from '#test/setup/customers/customer-faces.ts'
import {
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

const uuidOf = (id: string) => parseId(id)?.uuid ?? ''
const codeOf = ({ status, body }: CustomerAnswer) => `${status} ${body.code}`

describe.each(customerFaces)('over $name', (face) => {
  const made = async () => {
    const email = `${randomUUID()}@mail.example`
    return (await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', email })).body
  }

  it('deletes a customer once, closes its accounts, and answers later calls with 410', async () => {
    const { id } = await made()
    expect(await face.remove(platform, id)).toMatchObject({ status: 200, body: { id, isDeleted: true } })
    expect(codeOf(await face.remove(platform, id))).toBe('410 CUSTOMER_DELETED')
    expect(codeOf(await face.update(platform, id, { customerType: 'INDIVIDUAL', fullName: 'B' }))).toBe(
      '410 CUSTOMER_DELETED',
    )
    expect(await face.read(platform, id)).toMatchObject({ status: 200, body: { isDeleted: true } })
    const accounts = await db.internalAccount.findMany({ where: { customerId: uuidOf(id) } })
    expect(accounts.map(({ type, status }) => [type, status])).toEqual([['EMBEDDED_WALLET', 'CLOSED']])
  })

  it('does not delete a customer with money or an open payment', async () => {
    const { id, platformCustomerId } = await made()
    await createInternalAccount(platform, { customerId: uuidOf(id), totalBalance: 1n })
    const refused = await face.remove(platform, id)
    expect([codeOf(refused), refused.body.details.reason]).toEqual(['409 CONFLICT', 'ACCOUNT_NOT_EMPTY'])
    const paying = await made()
    await createTransactions(platform, [
      outgoing({ customerId: uuidOf(paying.id), platformCustomerId: paying.platformCustomerId, status: 'PROCESSING' }),
    ])
    expect((await face.remove(platform, paying.id)).body.details.reason).toBe('PAYMENT_OPEN')
    expect(await face.read(platform, id)).toMatchObject({ body: { isDeleted: false, platformCustomerId } })
  })
})
