// The demo data for a newcomer: an approval queue, an agent with a known token, and a ledger that balances.
// Own process: seeds the demo.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { runJobs } from '#database/jobs/jobs.ts'
import { ADA } from '#rest/examples.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { tasks } from '#tasks.ts'
import { bearer, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { AGENT_TOKEN, agentId } from '../../dev/demo/agents.ts'
import { onboardCustomers } from '../../dev/demo/onboarding.ts'
import { World } from '../../dev/demo/world.ts'
import { seedDemo } from '../../dev/demo.ts'

const demo = basic({ clientId: 'demo', secret: 'demo-secret' })
const other = basic({ clientId: 'other', secret: 'other-secret' })
const agent = bearer(AGENT_TOKEN)

beforeAll(() => seedDemo(process.env['DATABASE_DIRECT_URL'] ?? ''))

/** As text, for a list. */
const valuesOf = async (statement: string) => {
  const rows = await db.$queryRawUnsafe<{ value: string }[]>(statement)
  return rows.map(({ value }) => value).sort()
}

describe('the sandbox', () => {
  it.each(['002', '003', '004', '005', '006', '007'])(
    'has an account of Ada whose number ends in %s',
    async (suffix) => {
      const [account] = await db.$queryRaw<{ id: string }[]>`
      select id from external_accounts
      where account_info ->> 'accountNumber' like ${`%${suffix}`} and 'Customer:' || customer_id = ${ADA.customerId} and status = 'ACTIVE'`
      const { status } = await callRest(demo, 'POST', '/transfer-out', {
        source: { accountId: ADA.dollars },
        destination: { accountId: publicId('ExternalAccount', account?.id ?? '') },
        amount: 100,
      })
      expect(status).toBe(201)
    },
  )

  it('has transaction hashes in the format of each network', async () => {
    const hashes = await db.$queryRaw<{ network: string; hash: string }[]>`
      select network::text, hash from transactions
      cross join lateral (values (source_network, source_transaction_hash), (destination_network, destination_transaction_hash)) t (network, hash)
      where network is not null`
    expect(new Set(hashes.map(({ network }) => network)).size).toBeGreaterThan(4)
    for (const { network, hash } of hashes) expect(hash, network).toMatch(HASHES[network] ?? /^[0-9a-f]{64}$/)
  })
})

const EVM = /^0x[0-9a-f]{64}$/
const HASHES: Readonly<Record<string, RegExp>> = {
  ETHEREUM: EVM,
  BASE: EVM,
  POLYGON: EVM,
  SOLANA: /^[1-9A-HJ-NP-Za-km-z]{88}$/,
}

describe('the agents', () => {
  it('have waiting actions of every type, and decided ones with every outcome', async () => {
    const actions = `SELECT DISTINCT status || ' ' || agent_actions.type AS value FROM agent_actions JOIN platforms ON platforms.id = platform_id WHERE name = 'demo'`
    expect(await valuesOf(actions)).toEqual([
      'APPROVED EXECUTE_QUOTE',
      'APPROVED TRANSFER_IN',
      'APPROVED TRANSFER_OUT',
      'FAILED EXECUTE_QUOTE',
      'PENDING_APPROVAL EXECUTE_QUOTE',
      'PENDING_APPROVAL TRANSFER_IN',
      'PENDING_APPROVAL TRANSFER_OUT',
      'REJECTED TRANSFER_OUT',
    ])
  })

  it('have a reason for each rejected action and for no other', async () => {
    const reasons = `SELECT DISTINCT status || ' ' || (rejection_reason IS NOT NULL) AS value FROM agent_actions`
    expect(await valuesOf(reasons)).toEqual([
      'APPROVED false',
      'FAILED false',
      'PENDING_APPROVAL false',
      'REJECTED true',
    ])
  })

  it('are all connected but one; one is paused, one is deleted, and one has usage today', async () => {
    const agents = `
      SELECT agents.name || coalesce(' ' || redeemed, '') || CASE WHEN is_paused THEN ' paused' ELSE '' END
        || CASE WHEN deleted_at IS NOT NULL THEN ' deleted' ELSE '' END || CASE WHEN daily_spend > 0 THEN ' used' ELSE '' END AS value
      FROM agents JOIN platforms ON platforms.id = platform_id
      LEFT JOIN (SELECT agent_id, CASE WHEN redeemed_at < expires_at THEN 'connected' END AS redeemed FROM agent_device_codes) AS code ON agent_id = agents.id
      WHERE platforms.name = 'demo'`
    expect(await valuesOf(agents)).toEqual([
      'Household assistant connected used',
      'Old budget bot connected deleted',
      'Rent and bills connected',
      'Savings helper',
      'Supplier payments connected paused',
      'Treasury agent connected',
    ])
  })

  it('created the quotes that they execute', async () => {
    const quotes = `SELECT DISTINCT coalesce((quotes.agent_id = agent_actions.agent_id)::text, 'null') AS value
      FROM agent_actions JOIN quotes ON (quotes.platform_id, quotes.id) = (agent_actions.platform_id, quote_id)`
    expect(await valuesOf(quotes)).toEqual(['true'])
  })

  it('include one whose token is documented: it opens both APIs, for its customer only', async () => {
    const { body } = await callRest(agent, 'GET', '/agents/me')
    expect(body).toMatchObject({ name: 'Household assistant', isConnected: true, usage: { dailyTransactionCount: 2 } })
    const waiting = await callRest(agent, 'GET', '/agents/me/actions?status=PENDING_APPROVAL')
    expect(waiting.body.totalCount).toBe(3)
    const query = '{ agentApprovals { totalCount } customers { nodes { platformCustomerId } } }'
    expect((await callGraphQL(agent, query)).body.data).toEqual({
      agentApprovals: { totalCount: 3 },
      customers: { nodes: [{ platformCustomerId: 'ada-lovelace' }] },
    })
  })
})

describe('the customers on their way to approval', () => {
  it('are a business under review, with owners and documents, and a person with an authenticator app, even after an interruption', async () => {
    const fetchFrom = (path: string, init: RequestInit) => app.fetch(new Request(`http://test${path}`, init))
    let calls = 0
    const interrupted = onboardCustomers((path, init) => {
      calls += 1
      return calls > 12 ? Promise.reject(new Error('interrupted')) : fetchFrom(path, init)
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    await onboardCustomers(fetchFrom)
    const query = `{
      business: customer(by: { platformCustomerId: "meridian-foods" }) {
        verificationStatus
        beneficialOwners { nodes { kycStatus documents { totalCount } } }
        documents { totalCount }
        verifications { nodes { verificationState } }
      }
      person: customer(by: { platformCustomerId: "anna-schmidt" }) { sca { factors { factorType } } }
    }`
    const owner = { kycStatus: 'APPROVED', documents: { totalCount: 2 } }
    expect((await callGraphQL(demo, query)).body.data).toEqual({
      business: {
        verificationStatus: 'PENDING',
        beneficialOwners: { nodes: [owner, owner] },
        documents: { totalCount: 9 },
        verifications: { nodes: [{ verificationState: 'PENDING_MANUAL_REVIEW' }] },
      },
      person: { sca: { factors: [{ factorType: 'TOTP' }] } },
    })
  })
})

describe('the ledger', () => {
  it("has the movements that each payment's status implies", async () => {
    const wrong = `
      SELECT payment.id || ' ' || status || ' ' || coalesce(refund_status::text, '') AS value
      FROM transactions AS payment
      LEFT JOIN LATERAL (
        SELECT sum(amount) FILTER (WHERE account_id = source_internal_account_id) AS source, sum(amount) FILTER (WHERE account_id = destination_internal_account_id) AS destination
        FROM ledger_movements AS movement
        JOIN ledger_entries AS entry ON (entry.platform_id, movement_id) = (movement.platform_id, movement.id)
        WHERE (movement.platform_id, movement.transaction_id) = (payment.platform_id, payment.id)
      ) AS moved ON true
      LEFT JOIN LATERAL (
        SELECT bool_or(to_status = CASE type WHEN 'OUTGOING' THEN 'PROCESSING' ELSE 'COMPLETED' END::transaction_lifecycle_status)
            AND refund_status IS DISTINCT FROM 'COMPLETED' AS has_left,
          bool_or(to_status = 'COMPLETED') AND refund_status IS DISTINCT FROM 'COMPLETED' AS has_arrived
        FROM transaction_timelines AS step
        WHERE (step.platform_id, transaction_id) = (payment.platform_id, payment.id)
      ) AS expected ON true
      WHERE type <> 'CARD' AND (
        (source_internal_account_id IS NOT NULL AND coalesce(source, 0) <> CASE WHEN has_left THEN -sent_amount ELSE 0 END)
        OR (destination_internal_account_id IS NOT NULL AND coalesce(destination, 0) <> CASE WHEN has_arrived THEN received_amount ELSE 0 END))`
    expect(await valuesOf(wrong)).toEqual([])
  })

  it('debits the account of a card by the pulled amount that was not returned', async () => {
    const wrong = `
      SELECT id || ' ' || status AS value FROM transactions AS spent
      LEFT JOIN LATERAL (
        SELECT sum(amount) AS taken FROM ledger_movements AS movement
        JOIN ledger_entries AS entry ON (entry.platform_id, movement_id) = (movement.platform_id, movement.id)
        WHERE (movement.platform_id, movement.transaction_id) = (spent.platform_id, spent.id) AND account_id IS NOT NULL
      ) AS moved ON true
      WHERE type = 'CARD' AND status IN ('SETTLED', 'REFUNDED')
        AND coalesce(taken, 0) <> CASE direction WHEN 'DEBIT' THEN -1 ELSE 1 END * (coalesce(settled_amount, 0) - coalesce(refunded_amount, 0))`
    expect(await valuesOf(wrong)).toEqual([])
  })

  it('balances, with some money moved and some on hold', async () => {
    expect(await db.$queryRaw`SELECT * FROM ledger_violations`).toEqual([])
    expect(await db.ledgerMovement.count({ where: { transactionId: { not: null } } })).toBeGreaterThan(500)
    expect(await db.ledgerHold.count({ where: { releasedAt: null } })).toBeGreaterThan(20)
  })
})

const QUEUE = `{ agentApprovals(first: 50) { nodes { id agentId type createdAt approvalExpiresAt quote { createdAt expiresAt status } transaction { status } } } }`
const APPROVE = `mutation ($input: ApproveAgentActionInput!) {
  approveAgentAction(input: $input) { ... on AgentActionSuccess { agentAction { status transaction { id } } } ... on ApiError { code message } }
}`

interface Waiting {
  readonly id: string
  readonly agentId: string
  readonly createdAt: string
  readonly approvalExpiresAt: string
  readonly quote: { readonly createdAt: string; readonly expiresAt: string; readonly status: string } | null
  readonly transaction: { readonly status: string }
}

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000

describe.each([
  { platform: 'demo', caller: demo, count: 6 },
  { platform: 'other', caller: other, count: 5 },
])('the queue of $platform', ({ caller, count }) => {
  it('says how long quotes and approvals last: minutes, and a week', async () => {
    const { body } = await callGraphQL(caller, QUEUE)
    const waiting: Waiting[] = body.data.agentApprovals.nodes
    expect(waiting).toHaveLength(count)
    expect(waiting.filter(({ quote }) => quote).length).toBeGreaterThan(1)
    for (const { createdAt, approvalExpiresAt, quote, transaction } of waiting) {
      expect(secondsBetween(createdAt, approvalExpiresAt)).toBe(7 * 86_400)
      expect([quote?.status, transaction.status]).toEqual(quote ? ['EXPIRED', 'EXPIRED'] : [undefined, 'PENDING'])
      // A minute over Lightning.
      if (quote) expect([60, 300]).toContain(secondsBetween(quote.createdAt, quote.expiresAt))
    }
  })

  it('can be approved completely, and the money arrives', async () => {
    const { body } = await callGraphQL(caller, QUEUE)
    const waiting: Waiting[] = body.data.agentApprovals.nodes
    const paid: string[] = []
    for (const { id, agentId } of waiting) {
      const answer = await callGraphQL(caller, APPROVE, { input: { agentId, actionId: id } })
      const { agentAction } = answer.body.data.approveAgentAction
      expect([agentAction?.status, answer.body.data.approveAgentAction.message]).toEqual(['APPROVED', undefined])
      paid.push(agentAction.transaction.id)
    }
    expect(paid).toHaveLength(count)
    const jobs = await runJobs(tasks)
    try {
      const status = async (id: string) => (await callRest(caller, 'GET', `/transactions/${id}`)).body.status
      for (const id of paid) await expect.poll(() => status(id), { message: id }).toBe('COMPLETED')
    } finally {
      await jobs.stop()
    }
  })
})

interface Documented {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: object } } }
}
const documented = contract.paths as unknown as Record<string, Record<string, Documented>>

describe('the examples of the contract', () => {
  const assistant = publicId('Agent', agentId(new World('demo', new Date()), 'ada-lovelace', 'household'))

  it.each([
    { caller: demo, call: 'post /quotes', status: 201 },
    { caller: demo, call: 'post /transfer-out', status: 201 },
    { caller: demo, call: 'post /transfer-in', status: 201 },
    { caller: demo, call: 'post /auth/credentials', status: 202 },
    { caller: demo, call: 'post /internal-accounts/{id}/export', id: ADA.wallet, status: 202 },
    { caller: demo, call: 'patch /internal-accounts/{id}', id: ADA.wallet, status: 202 },
    { caller: demo, call: 'patch /customers/{customerId}', id: ADA.customerId, status: 202 },
    { caller: demo, call: 'post /agents', status: 201 },
    { caller: demo, call: 'patch /agents/{agentId}/policy', id: assistant, status: 200 },
    { caller: agent, call: 'post /agents/me/quotes', status: 201 },
    { caller: agent, call: 'post /agents/me/transfer-out', status: 201 },
    { caller: agent, call: 'post /agents/me/transfer-in', status: 201 },
    { caller: demo, call: 'patch /agents/{agentId}', id: assistant, status: 200 },
  ])('work against the demo unchanged: $call', async ({ caller, call, id = '', status }) => {
    const [method = '', path = ''] = call.split(' ')
    const example = documented[path]?.[method]?.requestBody.content['application/json'].example
    expect(await callRest(caller, method.toUpperCase(), path.replace(/\{\w+\}/, id), example)).toMatchObject({ status })
  })
})
