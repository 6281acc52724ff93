// Agents add and delete external accounts, at once or after approval, over both faces.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expireApprovals } from '#agents/actions/expire.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { exampleOf } from '#test/setup/accounts/account-examples.ts'
import { accountInfoInput, type Input } from '#test/setup/accounts/account-faces.ts'
import { type Acting, createActing, transferOf, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'

const INFO = exampleOf('GBP_ACCOUNT')
const ACTION =
  '{ ... on AgentActionSuccess { agentAction { id status externalAccountId } } ... on ApiError { status code details { field reason } } }'

interface Outcome {
  readonly status: number
  readonly accountId?: string
  readonly code?: string
  readonly field?: string | undefined
}

type Act = (acting: Acting, input: Input) => Promise<Outcome>

const acted = async (call: Promise<{ body: { data: Record<string, Record<string, never>> } }>, status: number) => {
  const [answer] = Object.values((await call).body.data)
  const { agentAction, code, details, ...failure } = answer as Record<string, Record<string, string>>
  if (agentAction) return { status, accountId: agentAction['externalAccountId'] as string }
  return { status: Number(failure['status']), code: String(code), field: details?.['field']?.replace(/^input\./, '') }
}

const faces: readonly { name: string; add: Act; remove: (acting: Acting, id: string) => Promise<Outcome> }[] = [
  {
    name: 'GraphQL',
    add: ({ agent }, { accountInfo, ...input }) =>
      acted(
        callGraphQL(
          agent,
          `mutation ($input: AgentCreateExternalAccountInput!) { agentCreateExternalAccount(input: $input) ${ACTION} }`,
          {
            input: { ...input, ...accountInfoInput(accountInfo as Input) },
          },
        ),
        201,
      ),
    remove: ({ agent }, id) =>
      acted(
        callGraphQL(
          agent,
          `mutation ($input: AgentDeleteExternalAccountInput!) { agentDeleteExternalAccount(input: $input) ${ACTION} }`,
          {
            input: { id },
          },
        ),
        204,
      ),
  },
  {
    name: 'REST',
    add: async ({ agent }, input) => {
      const { status, body } = await callRest(agent, 'POST', '/agents/me/external-accounts', input)
      return { status, accountId: body.id, code: body.code, field: body.details?.field }
    },
    remove: async ({ agent }, id) => {
      const { status, body } = await callRest(agent, 'DELETE', `/agents/me/external-accounts/${id}`)
      return { status: status === 202 ? 204 : status, code: body?.code }
    },
  },
]

const POUNDS = { currency: 'GBP', accountInfo: INFO }
const WAITING = { defaultExecutionMode: 'APPROVAL_REQUIRED' } as const

const statusOf = async ({ owner }: Acting, id = '') => {
  const { status, body } = await callRest(owner, 'GET', `/customers/external-accounts/${id}`)
  return status === 200 ? body.status : status
}
const actions = async ({ owner, agentId }: Acting) =>
  (await callRest(owner, 'GET', `/agents/${agentId}/actions`)).body.data
const decide = async (acting: Acting, how: 'approve' | 'reject') => {
  const [{ id }] = await actions(acting)
  return (await callRest(acting.owner, 'POST', `/agents/${acting.agentId}/actions/${id}/${how}`)).body
}

describe.each(faces)('over $name', ({ add, remove }) => {
  it('an account is added and deleted at once where the policy allows it', async () => {
    const acting = await createActing()
    const { status, accountId = '' } = await add(acting, POUNDS)
    expect({ status, account: await statusOf(acting, accountId) }).toEqual({ status: 201, account: 'ACTIVE' })
    expect((await remove(acting, accountId)).status).toBe(204)
    expect(await statusOf(acting, accountId)).toBe(404)
    expect(await actions(acting)).toMatchObject([
      { type: 'DELETE_EXTERNAL_ACCOUNT', status: 'APPROVED', externalAccountId: accountId },
      { type: 'CREATE_EXTERNAL_ACCOUNT', status: 'APPROVED', externalAccountId: accountId },
    ])
  })

  it('a new account waits for approval, and nothing can be paid to it', async () => {
    const acting = await createActing(WAITING)
    const info = exampleOf('USD_ACCOUNT')
    const { accountId = '' } = await add(acting, { currency: 'USD', accountInfo: info })
    expect(await statusOf(acting, accountId)).toBe('PENDING')
    const pay = () =>
      callRest(
        acting.agent,
        'POST',
        '/agents/me/transfer-out',
        transferOf({ ...acting, dollarsId: accountId as typeof acting.dollarsId }, 100),
      )
    expect((await pay()).body).toMatchObject({ status: 403, code: 'USER_NOT_READY' })
    expect(await decide(acting, 'approve')).toMatchObject({ status: 'APPROVED', externalAccountId: accountId })
    expect(await statusOf(acting, accountId)).toBe('ACTIVE')
    expect((await pay()).status).toBe(201)
  })

  it('the platform gets an event of an action that waits', async () => {
    const acting = await createActing(WAITING)
    const { accountId } = await add(acting, POUNDS)
    await numberEvents()
    const { body } = await callRest(acting.owner, 'GET', '/webhooks/events?type=AGENT_ACTION.PENDING_APPROVAL')
    expect(body.data).toMatchObject([{ data: { type: 'CREATE_EXTERNAL_ACCOUNT', externalAccountId: accountId } }])
  })

  it.each(['rejected', 'late', 'of a deleted agent', 'no longer allowed'])(
    'an account whose action is %s is deleted',
    async (how) => {
      const acting = await createActing(WAITING)
      const { accountId } = await add(acting, POUNDS)
      const { platform, agentId, owner } = acting
      if (how === 'rejected') await decide(acting, 'reject')
      if (how === 'of a deleted agent') await callRest(owner, 'DELETE', `/agents/${agentId}`)
      if (how === 'late') {
        await db.$executeRaw`update agent_actions set approval_expires_at = now() where platform_id = ${platform.id}::uuid`
        await expireApprovals.run({})
      }
      if (how === 'no longer allowed') {
        await callRest(owner, 'PATCH', `/agents/${agentId}/policy`, { permissions: ['VIEW_TRANSACTIONS'] })
        expect(await decide(acting, 'approve')).toMatchObject({ status: 'FAILED', failure: { code: 'AGENT_POLICY' } })
      }
      expect(await statusOf(acting, accountId)).toBe(404)
    },
  )

  it('an account that an agent wants to delete stays until the platform approves', async () => {
    const acting = await createActing(WAITING)
    expect((await remove(acting, acting.dollarsId)).status).toBe(204)
    expect(await statusOf(acting, acting.dollarsId)).toBe('ACTIVE')
    await decide(acting, 'reject')
    expect(await statusOf(acting, acting.dollarsId)).toBe('ACTIVE')
    await remove(acting, acting.dollarsId)
    expect(await decide(acting, 'approve')).toMatchObject({ status: 'APPROVED' })
    expect(await statusOf(acting, acting.dollarsId)).toBe(404)
  })

  it('an approval fails if the platform has deleted the account in the meantime', async () => {
    const acting = await createActing(WAITING)
    const { accountId } = await add(acting, POUNDS)
    await callRest(acting.owner, 'DELETE', `/customers/external-accounts/${accountId}`)
    expect(await decide(acting, 'approve')).toMatchObject({
      status: 'FAILED',
      failure: { code: 'REFERENCE_NOT_FOUND' },
    })
  })

  it('an approval fails if the platform is deleting the account, which stays inactive', async () => {
    const acting = await createActing(WAITING)
    const { accountId = '' } = await add(acting, POUNDS)
    const [, approved] = await interleaved(
      'update on external_accounts',
      () => callRest(acting.owner, 'DELETE', `/customers/external-accounts/${accountId}`),
      () => decide(acting, 'approve'),
    )
    expect(approved).toMatchObject({ status: 'FAILED', failure: { code: 'REFERENCE_NOT_FOUND' } })
    const deleted = await db.externalAccount.findFirst({ where: { id: uuidOf(accountId) } })
    expect(deleted).toMatchObject({ status: 'INACTIVE', deletedAt: expect.any(Date) })
  })

  it('refuses what the policy and the customer do not allow', async () => {
    const acting = await createActing({ permissions: ['VIEW_TRANSACTIONS'] })
    expect(await add(acting, POUNDS)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await remove(acting, acting.dollarsId)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const other = await createActing({ platform: acting.platform })
    for (const id of [acting.dollarsId, `ExternalAccount:${randomUUID()}`, 'x']) {
      expect(await remove(other, id)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    }
    const bad = await add(other, { ...POUNDS, accountInfo: { ...INFO, sortCode: '1' } })
    expect(bad).toMatchObject({ status: 400, code: 'INVALID_BANK_ACCOUNT', field: expect.stringMatching(/sortCode$/) })
    await add(other, POUNDS)
    expect(await add(other, POUNDS)).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await actions(other)).toHaveLength(1)
  })
})

it('the platform sees the account of an action, even after it was deleted, and none for a payment', async () => {
  const acting = await createActing(WAITING)
  const [add, remove] = [faces[0]?.add as Act, faces[0]?.remove]
  const { accountId } = await add(acting, POUNDS)
  await remove?.(acting, acting.dollarsId)
  await callRest(acting.agent, 'POST', '/agents/me/transfer-out', transferOf(acting, 100))
  const seen = async () => {
    const text = `{ agentActions(filter: { agentId: "${acting.agentId}" }) { nodes {
      actionType externalAccount { id accountStatus accountInfo { __typename } }
    } } }`
    return (await callGraphQL(acting.owner, text)).body.data.agentActions.nodes
  }
  const accountInfo = { __typename: 'GbpAccountInfo' }
  expect(await seen()).toMatchObject([
    { actionType: 'TRANSFER_OUT', externalAccount: null },
    { actionType: 'DELETE_EXTERNAL_ACCOUNT', externalAccount: { id: acting.dollarsId } },
    { actionType: 'CREATE_EXTERNAL_ACCOUNT', externalAccount: { id: accountId, accountInfo } },
  ])
  await callRest(acting.owner, 'DELETE', `/customers/external-accounts/${accountId}`)
  expect((await seen()).at(-1).externalAccount).toMatchObject({ id: accountId, accountStatus: 'INACTIVE' })
})

it('only the platform sets the default UMA account', async () => {
  const { agent } = await createActing()
  const { body } = await callRest(agent, 'POST', '/agents/me/external-accounts', {
    ...POUNDS,
    defaultUmaDepositAccount: true,
  })
  expect(body).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: { field: 'defaultUmaDepositAccount' } })
})
