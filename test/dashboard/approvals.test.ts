// The inbox of approvals in a browser: requests arrive and are approved and rejected, and decisions of others are shown.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Acting,
  balancesOf,
  changeAgent,
  createActing,
  outliveQuote,
  pullOf,
  quoteOf,
  transferOf,
  unknown,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { agentFaces, callRest } from '#test/setup/agents/agent-faces.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, failFields, untilLive } from '#test/setup/dashboard.ts'
import { fund } from '#test/setup/payments/payers.ts'

const [face] = actionFaces
if (!face) throw new Error('There is a face')

/** A fee of the service, in thousandths of what is sent, which moves every price. */
const startFee = async ({ platform: { id: platformId } }: Acting) => {
  const account = { id: randomUUID(), type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' } as const
  await db.internalAccount.create({ data: { platformId, ...account } })
  await db.platformFee.create({ data: { platformId, sendingCurrency: 'USD', rate: 0 } })
  return {
    set: (thousandths: number) =>
      db.platformFee.updateMany({ where: { platformId }, data: { rate: 1_000 * thousandths } }),
  }
}

describe.skipIf(!hasBrowser)('approvals', () => {
  let acting: Acting
  let fee: Awaited<ReturnType<typeof startFee>>
  const dashboard = dashboardInBrowser(async () => {
    acting = await createActing({
      approvalThresholdAmount: 1_000n,
      approvalThresholdCurrency: 'USD',
      dailyLimit: 50_000n,
    })
    fee = await startFee(acting)
    return acting.platform
  })

  const open = async () => {
    const { page } = await dashboard.open('/approvals')
    await untilLive(page)
    return page
  }
  const ask = async (cents: number) => {
    const { body } = await face.transferOut(acting.agent, transferOf(acting, cents))
    return body.id as string
  }

  it('a request arrives by itself, with the rule that stopped it, and two keys approve it', async () => {
    const page = await open()
    await page.getByText('Nothing waits').waitFor()
    await ask(2_000)
    await page.getByRole('button', { name: 'Approve 20.00 USD' }).waitFor()
    await page.getByText('20.00 USD asked, 10.00 USD allowed').waitFor()
    await page.getByText('20.00 of 500.00 USD with this one').waitFor()
    await page.getByText('Who is paid, for the first time').waitFor()
    const [before = 0] = await balancesOf(acting)
    await page.keyboard.press('Enter')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    await page.getByText('Approved 20.00 USD').waitFor()
    await page.getByText('Nothing waits').waitFor()
    expect((await balancesOf(acting))[0]).toBe(before - 2_000)
  })

  it('an approver sees who holds the account, and that a transfer in brings money', async () => {
    const beneficiary = { beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines GmbH' }
    await db.externalAccount.update({
      where: { platformId_id: { platformId: acting.platform.id, id: uuidOf(acting.dollarsId) } },
      data: { accountInfo: { accountNumber: '123456789', paymentRails: ['ACH'], beneficiary } },
    })
    await ask(2_100)
    const page = await open()
    await page.getByRole('heading', { name: '−21.00' }).waitFor()
    await page.locator('dd').getByText('Analytical Engines GmbH').waitFor()
    await page.getByText(/^Who is paid/).waitFor()
    await page.getByRole('button', { name: 'Approve 21.00 USD' }).click()
    await face.transferIn(acting.agent, pullOf(acting, 2_200))
    await page.getByRole('heading', { name: '+22.00' }).waitFor()
    // A payment to the account is none from it.
    await page.getByText('Who pays, for the first time').waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('Reason for the agent, optional').fill('Not now')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits').waitFor()
  })

  it('a rejection takes a reason, and moves no money', async () => {
    const [before] = await balancesOf(acting)
    await ask(3_000)
    const page = await open()
    await page.getByRole('button', { name: 'Approve 30.00 USD' }).waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('Reason for the agent, optional').fill('Wrong invoice')
    await page.keyboard.press('Enter')
    await page.getByText('Rejected. The agent can read the reason.').waitFor()
    await page.getByRole('link', { name: 'Decided' }).click()
    await page.getByText('Wrong invoice').waitFor()
    expect((await balancesOf(acting))[0]).toBe(before)
  })

  it('says that a rejection has no reason, and calls no history unknown that is only loading', async () => {
    await ask(3_100)
    const { page } = await dashboard.open('/')
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'ApprovalContext') await isAnswered
      return route.fallback()
    })
    await page.getByRole('link', { name: 'Approvals' }).first().click()
    await page.getByRole('button', { name: 'Approve 31.00 USD' }).waitFor()
    await page.locator('.ctx [aria-busy]').waitFor()
    expect(await page.getByText('not known').count()).toBe(0)
    answer()
    await page.getByText('since it was made').waitFor()
    await page.keyboard.press('r')
    await page.keyboard.press('Enter')
    await page.getByText('Rejected without a reason').waitFor()
  })

  it('a request above the remaining limit fails with the reason of the policy', async () => {
    const page = await open()
    await ask(4_000)
    await page.getByRole('button', { name: 'Approve 40.00 USD' }).waitFor()
    await changeAgent(acting, { perTransactionLimit: 3_500n })
    await page.getByRole('button', { name: 'Approve 40.00 USD' }).click()
    await page.getByText(/^Approved, but it failed/).waitFor()
    await changeAgent(acting, { perTransactionLimit: 100_000n })
  })

  it('a request that could not be approved for lack of funds still waits, and is approved once there is enough', async () => {
    const add = (cents: number) => fund(acting.platform, acting.accountId, 'USD', BigInt(cents))
    const [before = 0] = await balancesOf(acting)
    await ask(4_500)
    const page = await open()
    await page.getByRole('button', { name: 'Approve 45.00 USD' }).waitFor()
    await add(1_000 - before)
    await page.getByRole('button', { name: 'Approve 45.00 USD' }).click()
    await page.getByText('Not approved').waitFor()
    await page.getByText(/INSUFFICIENT_BALANCE/).waitFor()
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByText('Not approved').waitFor({ state: 'detached' })
    expect(await page.locator('.list .ask').count()).toBe(1)
    await add(before - 1_000)
    await page.getByRole('button', { name: 'Approve 45.00 USD' }).click()
    await page.getByText('Nothing waits').waitFor()
    expect((await balancesOf(acting))[0]).toBe(before - 4_500)
  })

  it('an approval with an incomplete answer is a success, and without an answer it is not known whether it happened', async () => {
    const page = await open()
    await failFields(page, 'Approve', 'approveAgentAction.agentAction.customer')
    await ask(4_100)
    await page.getByRole('button', { name: 'Approve 41.00 USD' }).click()
    await page.getByText('Approved 41.00 USD').waitFor()
    await page.unrouteAll()
    await failFields(page, 'Approve', 'approveAgentAction')
    await ask(4_200)
    await page.getByRole('button', { name: 'Approve 42.00 USD' }).click()
    await page.getByText('Not known whether it happened').waitFor()
    expect(await page.getByText('Not approved').count()).toBe(0)
  })

  it('a request whose price has expired shows the current price, and shows it again before approval if it moves', async () => {
    const { body: quote } = await face.createQuote(acting.agent, quoteOf(acting, 7_000))
    await face.execute(acting.agent, quote.id)
    await outliveQuote(acting, quote.id)
    await fee.set(9)
    const { page } = await dashboard.open('/')
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'PriceNow') await held
      return route.fallback()
    })
    await page.goto(`${dashboard.url}/approvals`)
    await untilLive(page)
    await page.getByText('The price ended at').waitFor()
    for (const name of [/^Fees, included/, /^Rate/, /^Arrives, EUR/]) {
      const [, now, change] = await page.getByRole('row', { name }).getByRole('cell').allTextContents()
      expect([now, change], String(name)).toEqual(['—', '—'])
    }
    answer()
    const arrives = page.getByRole('row', { name: /^Arrives, EUR/ })
    await arrives.getByText(/^−0\.\d\d$/).waitFor()
    const asked = await arrives.getByRole('cell').first().textContent()
    await fee.set(60)
    await page.getByRole('button', { name: 'Approve at a new price' }).click()
    await page.getByText('The price moved while you read').waitFor()
    await page.getByText('more than the 1.0 % that the policy tolerates').waitFor()
    expect(
      await db.agentAction.count({
        where: { platformId: acting.platform.id, status: 'APPROVED', quoteId: { not: null } },
      }),
    ).toBe(0)
    await fee.set(0)
    await page.getByRole('button', { name: 'Approve at a new price' }).click()
    await page.getByText(`Approved at a new price: ${asked} EUR arrive`).waitFor()
  })

  it('a request that locks what arrives shows what leaves at the current price, also in the limits', async () => {
    const { body: quote } = await face.createQuote(acting.agent, {
      ...quoteOf(acting, 5_000),
      lockedCurrencySide: 'RECEIVING',
    })
    await face.execute(acting.agent, quote.id)
    await outliveQuote(acting, quote.id)
    await fee.set(9)
    const [before = 0] = await balancesOf(acting)
    const page = await open()
    const leaves = page.getByRole('row', { name: /^Leaves, USD/ })
    await leaves.getByText(/^\+0\.\d\d$/).waitFor()
    await page.getByRole('row', { name: /^Arrives, EUR 50\.00 50\.00 none$/ }).waitFor()
    await page.getByText(/^0\.9\d % more leaves than was asked/).waitFor()
    const [asked, now] = await leaves.getByRole('cell').allTextContents()
    expect(asked).toBe((quote.totalSendingAmount / 100).toFixed(2))
    await page.locator('.ask-head h2', { hasText: `−${now}USD` }).waitFor()
    const usage = await db.agent.findFirstOrThrow({ where: { platformId: acting.platform.id } })
    const used = Number(usage.dailySpend) / 100 + Number(now)
    await page.getByText(`${used.toFixed(2)} of 500.00 USD with this one`).waitFor()
    await page.getByRole('button', { name: 'Approve at a new price' }).click()
    await page.getByText(`Approved at a new price: ${now} USD leave`).waitFor()
    await fee.set(0)
    expect(Number(now) * 100).toBeCloseTo(before - ((await balancesOf(acting))[0] ?? 0))
  })

  it('says that someone else has decided, and a late click is a typed conflict', async () => {
    const page = await open()
    const id = await ask(5_000)
    await page.getByRole('button', { name: 'Approve 50.00 USD' }).waitFor()
    // The page does not notice: its stream and its queries stop, but its writes continue.
    await page.route('**/dashboard/graphql', (route) =>
      route.request().postDataJSON().operationName === 'Approve' ? route.continue() : route.abort(),
    )
    expect((await face.reject(acting.owner, acting.agentId, id)).status).toBe(200)
    await page.getByRole('button', { name: 'Approve 50.00 USD' }).click()
    await page.getByText('Not approved').waitFor()
    await page.getByText(/ConflictError/).waitFor()
  })

  it('a request that someone else decides leaves the list, and the open one stays with a note', async () => {
    const page = await open()
    const id = await ask(6_000)
    await page.getByRole('button', { name: 'Approve 60.00 USD' }).waitFor()
    expect((await face.approve(acting.owner, acting.agentId, id)).status).toBe(200)
    await page.getByText('This request is already decided').waitFor()
    expect(await page.getByRole('button', { name: 'Approve 60.00 USD' }).isDisabled()).toBe(true)
  })

  it('a decision without an event is noticed, too', async () => {
    await changeAgent(acting, { defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { body } = await callRest(acting.agent, 'DELETE', `/agents/me/external-accounts/${acting.eurosId}`)
    await changeAgent(acting, { defaultExecutionMode: 'AUTO' })
    const page = await open()
    await page.getByRole('heading', { name: /^Delete account/ }).waitFor()
    expect((await face.reject(acting.owner, acting.agentId, body.id)).status).toBe(200)
    await page.getByText('This request is already decided').waitFor()
  })

  it('the list stays as it is known when it cannot be loaded again', async () => {
    const page = await open()
    await ask(5_500)
    await page.getByRole('button', { name: 'Approve 55.00 USD' }).waitFor()
    await failFields(page, 'Approvals', 'approvals')
    const reloading = page.waitForResponse(
      (response) => response.request().postDataJSON()?.operationName === 'Approvals',
    )
    const later = await ask(5_600)
    await reloading
    expect(await page.getByRole('button', { name: 'Approve 55.00 USD' }).isEnabled()).toBe(true)
    expect(await page.getByText(/already decided|Could not load/).count()).toBe(0)
    await page.unrouteAll()
    expect((await face.reject(acting.owner, acting.agentId, later)).status).toBe(200)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits').waitFor()
  })

  it('the address of a request shows how it was decided, and that an id is unknown', async () => {
    const id = await ask(6_500)
    expect((await face.reject(acting.owner, acting.agentId, id, { reason: 'Paid twice' })).status).toBe(200)
    const { page } = await dashboard.open(`/approvals/${id}`)
    await page.getByText('This request is already decided').waitFor()
    await page.locator('.ask-head').getByText('Rejected').waitFor()
    expect(await page.getByRole('button', { name: 'Approve 65.00 USD' }).isDisabled()).toBe(true)
    await page.goto(`${dashboard.url}/approvals/${unknown('AgentAction')}`)
    await page.getByText('No request has this id').waitFor()
  })

  it('says how many requests follow the ones that are listed', async () => {
    await db.agent.updateMany({ where: { platformId: acting.platform.id }, data: { dailyLimit: null } })
    for (let n = 1; n <= 52; n++) await ask(2_000 + n)
    const page = await open()
    await page.getByText('2 newer requests follow when these are decided.').waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('One newer request follows when these are decided.').waitFor()
    expect(await page.locator('.ask').count()).toBe(50)
  })

  it('says that the agent of a decision is deleted', async () => {
    expect((await agentFaces[0]?.remove(acting.platform, acting.agentId))?.status).toBe(204)
    const { page } = await dashboard.open('/approvals?view=decided')
    await page.locator('.decided').getByText(' (deleted)').first().waitFor()
  })
})
