// The platform's management of agents: every call with every error, over GraphQL and REST.
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { type Acting, createActing, unknown, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { type Answer, agentFaces, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createAgent, createCustomer, createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

let acting: Acting
let platform: Platform
let stranger: Acting
beforeAll(async () => {
  ;[acting, stranger] = [await createActing(), await createActing()]
  platform = acting.platform
})

const codeOf = ({ status, body }: Answer) => `${status} ${body.code}`
/** The path of an input field in each API. */
const fieldOf = ({ body }: Answer) => String(body.details?.field ?? '').replace(/^input\./, '')

const POLICY = {
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES'],
  defaultExecutionMode: 'APPROVAL_REQUIRED',
  spendingLimits: {
    currency: 'USD',
    perTransactionLimit: 10_000,
    dailyLimit: 20_000,
    dailyTransactionLimit: 5,
    monthlyLimit: null,
  },
  repriceToleranceBps: 100,
}
const inputOf = (change: object = {}) => ({ name: 'Buyer', customerId: acting.customerId, policy: POLICY, ...change })

describe.each(agentFaces)('over $name', (face) => {
  const make = async (change: object = {}): Promise<string> =>
    (await face.create(platform, inputOf(change))).body.agent.id

  describe('create', () => {
    it('returns the agent and its code, with every policy field', async () => {
      const policy = {
        ...POLICY,
        accountRestrictions: {
          allowedAccountIds: [acting.accountId],
          accountRules: [{ accountId: acting.accountId, executionMode: 'AUTO', perTransactionLimit: 50 }],
        },
        approvalThresholds: { currency: 'EUR', amount: 700 },
      }
      const { status, body } = await face.create(platform, inputOf({ policy }))
      expect(status).toBe(201)
      expect(body.agent).toEqual({
        id: expect.stringMatching(/^Agent:[0-9a-f-]{36}$/),
        name: 'Buyer',
        customerId: acting.customerId,
        isPaused: false,
        isConnected: false,
        policy,
        usage: {
          dailyTransactionCount: 0,
          dailySpend: 0,
          dailyResetDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          monthlySpend: 0,
          monthlyResetMonth: expect.stringMatching(/^\d{4}-\d\d$/),
        },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      expect(await face.read(platform, body.agent.id)).toMatchObject({ status: 200, body: body.agent })
    })

    it('gives a policy without a tolerance one of 100 basis points', async () => {
      const { repriceToleranceBps: _, ...policy } = POLICY
      expect((await face.create(platform, inputOf({ policy }))).body.agent.policy).toEqual(POLICY)
      const free = { ...POLICY, repriceToleranceBps: 1000 }
      expect((await face.create(platform, inputOf({ policy: free }))).body.agent.policy).toEqual(free)
    })

    it('returns 404 for a customer who is unknown, deleted or of another platform, and 403 for one who is not approved', async () => {
      const [deleted, pending] = [
        await createCustomer(platform, { isDeleted: true }),
        await createCustomer(platform, { verificationStatus: 'PENDING' }),
      ].map(({ id }) => publicId('Customer', id))
      for (const customerId of [publicId('Customer', uuidOf(unknown('Agent'))), deleted, stranger.customerId]) {
        expect(codeOf(await face.create(platform, inputOf({ customerId })))).toBe('404 USER_NOT_FOUND')
      }
      expect(codeOf(await face.create(platform, inputOf({ customerId: pending })))).toBe('403 USER_NOT_READY')
    })

    it('returns 400 with the field of invalid input', async () => {
      const other = publicId('InternalAccount', (await createInternalAccount(platform)).id)
      const limits = (change: object) => ({
        policy: { ...POLICY, spendingLimits: { ...POLICY.spendingLimits, ...change } },
      })
      const restricted = (accountRestrictions: object) => ({ policy: { ...POLICY, accountRestrictions } })
      const rule = (accountId: string) => ({ accountId, executionMode: 'AUTO', perTransactionLimit: 1 })
      const rows: readonly (readonly [object, string, string])[] = [
        [{ name: '' }, 'name', 'INVALID_INPUT'],
        [{ name: 'x'.repeat(256) }, 'name', 'INVALID_INPUT'],
        [{ name: 'a\0b' }, 'name', 'INVALID_INPUT'],
        [{ name: ' \t\u00a0\u200b' }, 'name', 'INVALID_INPUT'],
        [{ customerId: 'x' }, 'customerId', 'INVALID_INPUT'],
        [{ customerId: acting.agentId }, 'customerId', 'INVALID_INPUT'],
        [{ policy: { ...POLICY, repriceToleranceBps: -1 } }, 'policy.repriceToleranceBps', 'INVALID_INPUT'],
        [{ policy: { ...POLICY, repriceToleranceBps: 1001 } }, 'policy.repriceToleranceBps', 'INVALID_INPUT'],
        [limits({ currency: 'XXX' }), 'policy.spendingLimits.currency', 'INVALID_CURRENCY'],
        [limits({ perTransactionLimit: -1 }), 'policy.spendingLimits.perTransactionLimit', 'INVALID_INPUT'],
        [limits({ dailyLimit: 9_000_000_000_000_001 }), 'policy.spendingLimits.dailyLimit', 'INVALID_INPUT'],
        [limits({ monthlyLimit: -1 }), 'policy.spendingLimits.monthlyLimit', 'INVALID_INPUT'],
        [limits({ dailyTransactionLimit: -1 }), 'policy.spendingLimits.dailyTransactionLimit', 'INVALID_INPUT'],
        [
          { policy: { ...POLICY, approvalThresholds: { amount: 1 } } },
          'policy.approvalThresholds.currency',
          'INVALID_INPUT',
        ],
        [
          { policy: { ...POLICY, approvalThresholds: { currency: 'XXX', amount: 1 } } },
          'policy.approvalThresholds.currency',
          'INVALID_CURRENCY',
        ],
        ...[unknown('InternalAccount'), stranger.accountId, other].flatMap((id) => [
          [
            restricted({ allowedAccountIds: [acting.accountId, id] }),
            'policy.accountRestrictions.allowedAccountIds.1',
            'INVALID_INPUT',
          ] as const,
          [
            restricted({ accountRules: [rule(id)] }),
            'policy.accountRestrictions.accountRules.0.accountId',
            'INVALID_INPUT',
          ] as const,
        ]),
        [
          restricted({ accountRules: [rule(acting.accountId), rule(acting.accountId)] }),
          'policy.accountRestrictions.accountRules.1.accountId',
          'INVALID_INPUT',
        ],
        [
          restricted({ allowedAccountIds: [acting.dollarsId] }),
          'policy.accountRestrictions.allowedAccountIds.0',
          'INVALID_INPUT',
        ],
      ]
      for (const [change, field, code] of rows) {
        const answer = await face.create(platform, inputOf(change))
        expect({ change, code: codeOf(answer), field: fieldOf(answer) }).toEqual({ change, code: `400 ${code}`, field })
      }
    })

    it('needs MANAGE', async () => {
      const weak = await createPlatform(['VIEW', 'TRANSACT'])
      expect(codeOf(await face.create(weak, inputOf()))).toBe('403 FORBIDDEN')
    })
  })

  describe('read and list', () => {
    it('lists agents that are not deleted, newest first, with every filter', async () => {
      const mine = await createPlatform()
      const customers = [await createCustomer(mine), await createCustomer(mine)]
      const at = (day: number) => new Date(Date.UTC(2026, 0, day))
      const agents = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((index) =>
          createAgent(mine, {
            customerId: customers[index % 2]?.id ?? '',
            isPaused: index % 3 === 0,
            isConnected: index < 3,
            createdAt: at(index + 1),
            updatedAt: at(20 + index),
          }),
        ),
      )
      await createAgent(mine, { customerId: customers[0]?.id ?? '', deletedAt: new Date() })
      const listed = agents.map((agent) => ({ ...agent, publicId: publicId('Agent', agent.id) })).toReversed()
      type Listed = (typeof listed)[number]
      const first = publicId('Customer', customers[0]?.id ?? '')
      const filters: readonly (readonly [object, (agent: Listed) => boolean])[] = [
        [{}, () => true],
        [{ customerId: first }, ({ customerId }) => customerId === customers[0]?.id],
        [{ customerId: stranger.customerId }, () => false],
        [{ isPaused: true }, ({ isPaused }) => isPaused],
        [{ isPaused: false }, ({ isPaused }) => !isPaused],
        [{ isConnected: true }, ({ isConnected }) => isConnected],
        [{ isConnected: false }, ({ isConnected }) => !isConnected],
        [{ createdAfter: '2026-01-03T00:00:00Z' }, ({ createdAt }) => createdAt >= at(3)],
        [{ createdBefore: '2026-01-03T00:00:00Z' }, ({ createdAt }) => createdAt <= at(3)],
        [{ updatedAfter: '2026-01-22T00:00:00Z' }, ({ updatedAt }) => updatedAt >= at(22)],
        [{ updatedBefore: '2026-01-22T00:00:00Z' }, ({ updatedAt }) => updatedAt <= at(22)],
        [
          {
            customerId: first,
            isPaused: false,
            createdAfter: '2026-01-02T00:00:00Z',
            updatedBefore: '2026-01-24T00:00:00Z',
          },
          (agent) =>
            agent.customerId === customers[0]?.id &&
            !agent.isPaused &&
            agent.createdAt >= at(2) &&
            agent.updatedAt <= at(24),
        ],
      ]
      for (const [filter, admits] of filters) {
        const { body } = await face.list(mine, filter)
        const expected = listed.filter(admits).map((agent) => agent.publicId)
        expect({ filter, ids: body.data.map(({ id }: { id: string }) => id), count: body.totalCount }).toEqual({
          filter,
          ids: expected,
          count: expected.length,
        })
      }
      for (const filter of [
        { customerId: 'x' },
        { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-01T00:00:00Z' },
        { updatedAfter: '2026-01-02T00:00:00Z', updatedBefore: '2026-01-01T00:00:00Z' },
      ]) {
        expect(codeOf(await face.list(mine, filter))).toBe('400 INVALID_INPUT')
      }
    })

    it('returns 404 for an unknown agent, and requires VIEW', async () => {
      for (const id of [unknown('Agent'), stranger.agentId]) {
        expect(codeOf(await face.read(platform, id))).toBe('404 REFERENCE_NOT_FOUND')
      }
      const weak = await createPlatform(['TRANSACT', 'MANAGE'])
      expect(codeOf(await face.list(weak))).toBe('403 FORBIDDEN')
      expect(codeOf(await face.read(weak, acting.agentId))).toBe('403 FORBIDDEN')
    })
  })

  describe('update', () => {
    it('changes the given fields and keeps the others', async () => {
      const id = await make()
      const paused = await face.update(platform, id, { isPaused: true })
      expect(paused).toMatchObject({ status: 200, body: { id, name: 'Buyer', isPaused: true } })
      const named = await face.update(platform, id, { name: 'Other' })
      expect(named.body).toMatchObject({ name: 'Other', isPaused: true })
      expect((await face.update(platform, id, { isPaused: false })).body).toMatchObject({
        name: 'Other',
        isPaused: false,
      })
      const before = (await face.read(platform, id)).body
      expect((await face.update(platform, id, {})).body).toEqual(before)
    })

    it('returns 400, 403 and 404 as documented', async () => {
      const id = await make()
      expect(codeOf(await face.update(platform, id, { name: '' }))).toBe('400 INVALID_INPUT')
      for (const other of [unknown('Agent'), stranger.agentId, 'x', acting.customerId]) {
        expect(codeOf(await face.update(platform, other, { name: 'x' }))).toBe('404 REFERENCE_NOT_FOUND')
        expect(codeOf(await face.updatePolicy(platform, other, {}))).toBe('404 REFERENCE_NOT_FOUND')
        expect(codeOf(await face.remove(platform, other))).toBe('404 REFERENCE_NOT_FOUND')
      }
      const weak = await createPlatform(['VIEW', 'TRANSACT'])
      expect(codeOf(await face.update(weak, id, { name: 'x' }))).toBe('403 FORBIDDEN')
      expect(codeOf(await face.updatePolicy(weak, id, {}))).toBe('403 FORBIDDEN')
      expect(codeOf(await face.remove(weak, id))).toBe('403 FORBIDDEN')
    })
  })

  describe('policy', () => {
    const policyAfter = async (id: string, changes: object) => {
      const answer = await face.updatePolicy(platform, id, changes)
      expect(answer.status).toBe(200)
      expect((await face.read(platform, id)).body.policy).toEqual(answer.body.policy)
      return answer.body.policy
    }

    it('keeps omitted fields, replaces permissions, merges limits, and clears with null', async () => {
      const id = await make()
      expect(await policyAfter(id, {})).toEqual(POLICY)
      expect((await policyAfter(id, { permissions: ['EXECUTE_QUOTES'] })).permissions).toEqual(['EXECUTE_QUOTES'])
      const merged = await policyAfter(id, { spendingLimits: { dailyLimit: 30_000 } })
      expect(merged.spendingLimits).toEqual({ ...POLICY.spendingLimits, dailyLimit: 30_000 })
      expect((await policyAfter(id, { spendingLimits: { dailyLimit: null } })).spendingLimits.dailyLimit).toBeNull()
      expect((await policyAfter(id, { defaultExecutionMode: 'AUTO' })).defaultExecutionMode).toBe('AUTO')
      expect((await policyAfter(id, { repriceToleranceBps: 0 })).repriceToleranceBps).toBe(0)

      const allowedAccountIds = [acting.accountId]
      const rules = [{ accountId: acting.accountId, executionMode: 'AUTO', perTransactionLimit: null }]
      await policyAfter(id, { accountRestrictions: { allowedAccountIds } })
      expect((await policyAfter(id, { accountRestrictions: { accountRules: rules } })).accountRestrictions).toEqual({
        allowedAccountIds,
        accountRules: rules,
      })
      expect(await policyAfter(id, { accountRestrictions: null })).not.toHaveProperty('accountRestrictions')
      await policyAfter(id, { approvalThresholds: { currency: 'USD', amount: 5 } })
      expect((await policyAfter(id, { approvalThresholds: { amount: 6 } })).approvalThresholds).toEqual({
        currency: 'USD',
        amount: 6,
      })
      expect(await policyAfter(id, { approvalThresholds: null })).not.toHaveProperty('approvalThresholds')
    })

    it('returns 400 with the field for an invalid policy, and nothing changes', async () => {
      const id = await make()
      const rows: readonly (readonly [object, string, string])[] = [
        [{ spendingLimits: { currency: 'XXX' } }, 'spendingLimits.currency', 'INVALID_CURRENCY'],
        [{ spendingLimits: { perTransactionLimit: -1 } }, 'spendingLimits.perTransactionLimit', 'INVALID_INPUT'],
        [{ approvalThresholds: { amount: 5 } }, 'approvalThresholds.currency', 'INVALID_INPUT'],
        [{ repriceToleranceBps: null }, 'repriceToleranceBps', 'INVALID_INPUT'],
        [
          { accountRestrictions: { allowedAccountIds: [stranger.accountId] } },
          'accountRestrictions.allowedAccountIds.0',
          'INVALID_INPUT',
        ],
      ]
      for (const [changes, field, code] of rows) {
        const answer = await face.updatePolicy(platform, id, changes)
        expect({ changes, code: codeOf(answer), field: fieldOf(answer).replace(/^policy\./, '') }).toEqual({
          changes,
          code: `400 ${code}`,
          field,
        })
      }
      expect((await face.read(platform, id)).body.policy).toEqual(POLICY)
    })

    it('applies at once', async () => {
      const one = await createActing()
      const { agent, agentId } = one
      expect((await callRest(agent, 'GET', '/agents/me/transactions')).status).toBe(200)
      await face.updatePolicy(one.platform, agentId, { permissions: [] })
      expect((await callRest(agent, 'GET', '/agents/me/transactions')).status).toBe(403)
    })
  })

  it('delete is permanent', async () => {
    const id = await make()
    expect(await face.remove(platform, id)).toMatchObject({ status: 204, body: null })
    expect(codeOf(await face.remove(platform, id))).toBe('404 REFERENCE_NOT_FOUND')
    expect(codeOf(await face.update(platform, id, { isPaused: true }))).toBe('404 REFERENCE_NOT_FOUND')
    const row = await db.agent.findFirstOrThrow({ where: { id: uuidOf(id) } })
    expect([row.deletedAt === null, row.accessTokenHash]).toEqual([false, null])
    const { body } = await face.list(platform, { customerId: acting.customerId })
    expect(body.data.map((agent: { id: string }) => agent.id)).not.toContain(id)
    const read = '{ nodes(ids: $ids) { ... on Agent { isDeleted } } }'
    const answer = await callGraphQL(basic(platform), `query ($ids: [ID!]!) ${read}`, { ids: [id, acting.agentId] })
    expect(answer.body.data).toEqual({ nodes: [{ isDeleted: true }, { isDeleted: false }] })
  })
})

it('create documents no conflict, because there is none', () => {
  expect(Object.keys(contract.paths['/agents'].post.responses)).not.toContain('409')
})
