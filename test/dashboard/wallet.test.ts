// The wallet in a browser: the owner signs in by code, adds a passkey, signs in with it, and makes signed changes.
import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { hasBrowser, openDevice, startBrowser } from '#test/setup/browser.ts'
import { openDashboard, startDashboard } from '#test/setup/dashboard.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import {
  createAuthMethod,
  createPlatform,
  createToken,
  createWallet,
  createWalletSession,
  type Wallet,
} from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('a wallet', () => {
  let browser: Browser
  let gateway: GatewayProcess
  let wallet: Wallet
  beforeAll(async () => {
    wallet = await createWallet(await createPlatform())
    const token = { clientId: `${wallet.platform.clientId}2`, secret: wallet.platform.secret }
    await createToken(wallet.platform.id, token, ['VIEW', 'TRANSACT'])
    ;[gateway, browser] = await Promise.all([startDashboard(token), startBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  it('is changed by a token with TRANSACT and signatures of its owner, who signs in by code and by passkey', async () => {
    const { page } = await openDevice(browser, `${gateway.url}/wallet`)
    const { id: platformId } = wallet.platform
    const isPrivate = async () => (await db.internalAccount.findFirstOrThrow({ where: { platformId } })).privateEnabled
    await page.getByText('Changes need the owner').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isDisabled()).toBe(true)

    await page.getByRole('button', { name: `Sign in with ${wallet.email}` }).click()
    await page.getByLabel(/^Code for/).fill('111111')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.help.bad').waitFor()
    await page.getByLabel(/^Code for/).fill('000000')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You act as the owner of this wallet').waitFor()

    await page.getByRole('button', { name: 'Make it private' }).click()
    await page.getByRole('button', { name: 'Make it public' }).waitFor()
    expect(await isPrivate()).toBe(true)

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey is added').waitFor()
    expect(await db.authMethod.count({ where: { platformId, type: 'PASSKEY' } })).toBe(1)

    // Another visit has no key, until the passkey signs in.
    await page.reload()
    await page.getByText('Changes need the owner').waitFor()
    await page.getByRole('button', { name: /^Sign in with This browser/ }).click()
    await page.getByText('You act as the owner of this wallet').waitFor()
    await page.getByRole('button', { name: 'Make it public' }).click()
    await page.getByRole('button', { name: 'Make it private' }).waitFor()
    expect(await isPrivate()).toBe(false)

    await page.getByRole('button', { name: `Remove ${wallet.email}` }).click()
    const question = page.getByRole('dialog', { name: `Remove ${wallet.email}?` })
    await question.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: `Remove ${wallet.email}` }).click()
    await question.getByRole('button', { name: 'Remove the credential' }).click()
    await page.getByText('The credential is removed').waitFor()
    await page.getByText('Code by email').first().waitFor({ state: 'detached' })
    await page.close()
  })

  it('shows every credential and every session, and what was removed stays away', async () => {
    const many = await createWallet(wallet.platform)
    const [, accountId = ''] = many.accountId.split(':')
    const [first, ...others] = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        createAuthMethod(wallet.platform, {
          accountId,
          type: 'OAUTH',
          nickname: `${index}@mail.example`,
          oidcIssuer: 'https://issuer.example',
          oidcAudience: 'app',
          oidcSubject: String(index),
          createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
        }),
      ),
    )
    const expiresAt = new Date(Date.now() + 3_600_000)
    for (const credential of others.slice(0, 11)) await createWalletSession(wallet.platform, { credential, expiresAt })
    const { page } = await openDashboard(browser, gateway, `/wallet/${many.accountId}`)
    const rowsOf = (panel: string) => page.getByRole('region', { name: panel }).locator('.rows li:has(.grow)')
    const showMore = (panel: string) =>
      page.getByRole('region', { name: panel }).getByRole('button', { name: 'Show more' }).click()
    await showMore('Sessions')
    await expect.poll(() => rowsOf('Sessions').count()).toBe(11)
    await showMore('Credentials')
    await expect.poll(() => rowsOf('Credentials').count()).toBe(26)
    await page.getByRole('button', { name: `Sign in with ${many.email}` }).click()
    await page.getByLabel(/^Code for/).fill('000000')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You act as the owner of this wallet').waitFor()
    await page.getByRole('button', { name: `Remove ${first?.nickname}`, exact: true }).click()
    await page.getByRole('button', { name: 'Remove the credential' }).click()
    await page.getByText('The credential is removed').waitFor()
    await showMore('Credentials')
    await expect.poll(() => rowsOf('Credentials').count()).toBe(25)
    await page.context().close()
  })

  it('a token with TRANSACT may add accounts, but not agents, and no customers, also not by key', async () => {
    const { page } = await openDashboard(browser, gateway, `/customers/${wallet.customerId}`)
    await page.getByRole('button', { name: 'Add agent', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Add account', disabled: false }).waitFor()
    await page.goto(`${gateway.url}/customers`)
    await page.getByRole('button', { name: 'New customer', disabled: true }).waitFor()
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: /keys/i }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.context().close()
  })

  it('opens by its address when many others are newer, and neither an unknown id nor an unknown place is an error', async () => {
    for (let made = 0; made < 19; made += 1) await createWallet(wallet.platform)
    const { page } = await openDashboard(browser, gateway, `/wallet/${wallet.accountId}`)
    await page
      .locator('.facts')
      .getByText(`…${wallet.accountId.slice(-6)}`)
      .waitFor()
    await page.getByText('21 wallets').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.locator(`.rows a[href^="/wallet/${wallet.accountId}"][aria-current="true"]`).waitFor()
    for (const path of ['wallet?', 'cards?', 'customers?', 'developers/events?', 'approvals?view=decided&']) {
      await page.goto(`${gateway.url}/${path}after=of-another-list`)
      await page.waitForURL(({ searchParams }) => !searchParams.has('after'))
      await page.getByText('Could not load').waitFor({ state: 'detached' })
    }
    await page.goto(`${gateway.url}/wallet/${publicId('InternalAccount', randomUUID())}`)
    await page.getByText('No wallet has this id').waitFor()
    await page.context().close()
  })
})
