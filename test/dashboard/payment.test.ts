// One payment in a browser: who is paid, and what became of the money.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser } from '#test/setup/dashboard.ts'
import {
  createExternalAccount,
  createPlatform,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
  paidTo,
} from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('one payment', () => {
  let platform: Platform
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    return platform
  })

  const open = async (row: Parameters<typeof outgoing>[0]) => {
    const [payment] = await createTransactions(platform, [outgoing(row)])
    return (await dashboard.open(`/payments/${publicId('Transaction', payment?.id ?? '')}`)).page
  }

  it('names the holder of the bank account that is paid, and the business behind a UMA address', async () => {
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Luigi Menabrea' }
    const bank = await createExternalAccount(platform, { accountInfo: { accountNumber: '1', beneficiary } })
    const toBank = await open({ ...paidTo(`ExternalAccount:${bank.id}`), paymentRail: 'ACH' })
    await toBank.getByText('To Luigi Menabrea by ACH').waitFor()
    await toBank.getByText('USD account, ACH').waitFor()
    const toBusiness = await open({ counterpartyInformation: { COMPANY_LEGAL_NAME: 'Analytical Engines GmbH' } })
    await toBusiness.getByText('To Analytical Engines GmbH by UMA').waitFor()
  })

  it('shows when its refund was settled, and an amount that never arrived in grey', async () => {
    const settled = '2026-01-03T10:00:00.000Z'
    const page = await open({
      status: 'FAILED',
      failureReason: 'QUOTE_EXECUTION_FAILED',
      receivedAmount: 900n,
      receivedCurrency: 'EUR',
      refundReference: 'RF-1',
      refundInitiatedAt: '2026-01-02T09:00:00.000Z',
      refundStatus: 'COMPLETED',
      refundSettledAt: settled,
      refundReason: 'TRANSACTION_FAILED',
    })
    const refund = page.locator('dd', { hasText: 'Transaction failed, reference RF-1' })
    expect(await refund.locator('time').getAttribute('datetime')).toBe(settled)
    await page.locator('h1 .mo.no', { hasText: '9.00' }).waitFor()
    await page.locator('.tot', { hasText: 'Not received' }).locator('.mo.no').waitFor()
  })

  it('says received only of a payment that is completed, and sent only of one that has left', async () => {
    const received = { receivedAmount: 900n, receivedCurrency: 'EUR' }
    const refund = { refundReference: 'RF-2', refundInitiatedAt: new Date(), refundStatus: 'PENDING' } as const
    const cases: readonly [Parameters<typeof outgoing>[0], sent: string, received: string][] = [
      [{ status: 'COMPLETED' }, 'Sent', 'Received'],
      [{ status: 'COMPLETED', ...refund, refundReason: 'USER_CANCELLATION' }, 'Sent', 'Not received'],
      [{ status: 'PROCESSING' }, 'Sent', 'To receive'],
      [{ status: 'PENDING' }, 'To send', 'To receive'],
      [{ status: 'EXPIRED' }, 'Not sent', 'Not received'],
      [
        { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED', ...refund, refundReason: 'TRANSACTION_FAILED' },
        'Sent',
        'Not received',
      ],
    ]
    for (const [row, ...words] of cases) {
      const page = await open({ ...row, ...received })
      await page.locator('.sum').waitFor()
      const labels = page.locator('.sum > div > span:first-child')
      expect([await labels.first().innerText(), await labels.last().innerText()]).toEqual(words)
    }
  })

  it('says when a payment settles only if a bank still has it or it has arrived, and that a cancelled one is refunded', async () => {
    const settledAt = '2026-01-03T10:00:00.000Z'
    const refund = { refundReference: 'RF-3', refundInitiatedAt: settledAt, refundStatus: 'COMPLETED' } as const
    const failed = { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' } as const
    const cases: readonly [Parameters<typeof outgoing>[0], times: string[], states: string[]][] = [
      [{ status: 'PROCESSING' }, ['Created', 'Settles'], ['Processing']],
      [{ status: 'COMPLETED' }, ['Created', 'Settled'], ['Completed']],
      [failed, ['Created'], ['Failed']],
      [{ status: 'COMPLETED', ...refund }, ['Created'], ['Completed', 'Refunded']],
      [{ ...failed, ...refund, refundStatus: 'PENDING' }, ['Created'], ['Failed', 'Refund pending']],
    ]
    for (const [row, times, states] of cases) {
      const page = await open({ settledAt, ...row })
      const details = page.getByRole('region', { name: 'Details' })
      await details.getByText('Created').waitFor()
      expect(await details.locator('dt', { hasText: /^(Created|Settle)/ }).allTextContents()).toEqual(times)
      expect(await page.locator('h1 .pill').allTextContents()).toEqual(states)
    }
  })

  it('leaves out a method that is not known', async () => {
    const [payment] = await createTransactions(platform, [
      incoming({ sourceType: 'REALTIME_FUNDING', sourceUmaAddress: null, sourceCurrency: 'USD' }),
    ])
    const { page } = await dashboard.open(`/payments/${publicId('Transaction', payment?.id ?? '')}`)
    await page
      .locator('.hero')
      .getByText(/^From Not known yet( for|$)/)
      .waitFor()
  })
})
