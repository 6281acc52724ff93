// Updates of a resource: read-only fields are refused by name, required fields cannot be cleared, and unknown fields are ignored.
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { createActing } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, rest } from '#test/setup/faces.ts'
import { createCustomer, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

let platform: Platform
let customerId: string
const email = 'first@mail.example'

beforeAll(async () => {
  platform = await createPlatform()
  customerId = publicId('Customer', (await createCustomer(platform, { email })).id)
})

const patch = (of: Platform, path: string, body: object) =>
  rest<{ details?: { field?: string; errors?: { field: string }[] } }>(of, path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The fields of an individual that cannot be changed. */
const CUSTOMER_FIELDS =
  `id platformCustomerId createdAt updatedAt isDeleted contactVerification kycStatus kybStatus businessInfo beneficialOwners`.split(
    ' ',
  )

describe('a customer', () => {
  const change = (body: object) => patch(platform, `/customers/${customerId}`, { customerType: 'INDIVIDUAL', ...body })

  it.each(CUSTOMER_FIELDS)('%s cannot be changed, and nothing else of the request is', async (field) => {
    const { status, body } = await change({ email: 'second@mail.example', [field]: 'x' })
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: { field } } })
    expect(await db.customer.count({ where: { platformId: platform.id, email } })).toBe(1)
  })

  it('names every invalid field', async () => {
    const { body } = await change({ email: 'nowhere', kycStatus: 'APPROVED', birthDate: 'x' })
    expect(body.details?.errors?.map(({ field }) => field)).toEqual(['birthDate', 'email', 'kycStatus'])
  })

  it.each(['email', 'phoneNumber'])('%s cannot be cleared, over either face', async (field) => {
    expect(await change({ [field]: null })).toMatchObject({ status: 400, body: { details: { field } } })
    const { body } = await callGraphQL(
      basic(platform),
      `mutation ($input: UpdateCustomerInput!) {
        updateCustomer(input: $input) { __typename ... on BadRequestError { details { field } } }
      }`,
      { input: { id: customerId, [field]: null } },
    )
    expect(body.data.updateCustomer).toEqual({ __typename: 'BadRequestError', details: { field: `input.${field}` } })
  })

  it('ignores unknown fields', async () => {
    expect(await change({ favouriteColour: 'blue' })).toMatchObject({ status: 200 })
  })
})

describe('an agent', () => {
  const agentOf = async () => {
    const { platform: owner, agentId } = await createActing({})
    return { owner, path: `/agents/${agentId}` }
  }

  it.each(['id', 'customerId', 'isConnected', 'policy', 'usage', 'createdAt', 'updatedAt'])(
    '%s cannot be changed',
    async (field) => {
      const { owner, path } = await agentOf()
      expect(await patch(owner, path, { name: 'New', [field]: 'x' })).toMatchObject({
        status: 400,
        body: { details: { field } },
      })
    },
  )

  it.each([{ name: null }, { isPaused: null }, { name: '' }, { name: ' \t' }, { name: '\u200b' }])(
    '%j is refused',
    async (changes) => {
      const { owner, path } = await agentOf()
      const [field] = Object.keys(changes)
      expect(await patch(owner, path, changes)).toMatchObject({ status: 400, body: { details: { field } } })
    },
  )
})

it.each(['balance', 'status', 'type'])('%s of a wallet cannot be changed', async (field) => {
  const { accountId } = await createWallet(platform)
  const answer = await patch(platform, `/internal-accounts/${accountId}`, { privateEnabled: true, [field]: 'x' })
  expect(answer).toMatchObject({ status: 400, body: { details: { field } } })
})
