// Accounts over both faces: money inside, and accounts outside that are added, proven, paid and deleted.
import { describe, expect, it } from 'vitest'
import { accountFaces } from '#test/setup/accounts/account-faces.ts'
import { newEvmWallet, signAsEvm } from '#test/setup/accounts/wallet-keys.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, type Payer, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'

/** The customer's internal balances by currency, available and in total. */
const FUNDS = {
  REST: async ({ platform, customerId }: Payer) => {
    const { body } = await send(platform, 'GET', `/customers/internal-accounts?customerId=${customerId}`)
    return body.data.map((account: Record<string, { amount: number; currency: { code: string } }>) => [
      account['balance']?.currency.code,
      account['balance']?.amount,
      account['totalBalance']?.amount,
    ])
  },
  GraphQL: async ({ platform, customerId }: Payer) => {
    const { body } = await callGraphQL(
      basic(platform),
      `query ($filter: InternalAccountFilter) { internalAccounts(filter: $filter) {
        nodes { currency { code } balance { amount } totalBalance { amount } } } }`,
      { filter: { customerId } },
    )
    return body.data.internalAccounts.nodes.map(
      (account: { currency: { code: string }; balance: { amount: number }; totalBalance: { amount: number } }) => [
        account.currency.code,
        account.balance.amount,
        account.totalBalance.amount,
      ],
    )
  },
} as const

describe.each(accountFaces)('over $name', (face) => {
  const payments = paymentFaces.find(({ name }) => name === face.name)
  if (!payments) throw new Error(`No payments over ${face.name}`)

  it('a bank account is added, paid from an internal account, and deleted', async () => {
    const payer = await createPayer()
    const { platform, customerId, dollars } = payer
    const accountInfo = {
      accountType: 'USD_ACCOUNT',
      accountNumber: '123456789001',
      routingNumber: '021000021',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Grace Hopper' },
    }
    const { status, body: bank } = await face.create(platform, { customerId, currency: 'USD', accountInfo })
    expect({ status, body: bank }).toMatchObject({ status: 201, body: { customerId, status: 'ACTIVE' } })
    const { body: payment } = await payments.transferOut(platform, transferInput(dollars, bank.id, 2_500))
    expect(await FUNDS[face.name](payer)).toContainEqual(['USD', 97_500, 100_000])
    await passTime(platform.id)
    expect((await payments.readTransaction(platform, payment.id)).body).toMatchObject({
      status: 'COMPLETED',
      destination: { accountId: bank.id },
    })
    expect(await FUNDS[face.name](payer)).toContainEqual(['USD', 97_500, 97_500])

    expect(await face.delete(platform, bank.id)).toMatchObject({ status: 204 })
    const late = await payments.transferOut(platform, transferInput(dollars, bank.id, 2_500))
    expect(late).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
    expect(await FUNDS[face.name](payer)).toContainEqual(['USD', 97_500, 97_500])
  })

  it('a wallet is used only after its owner has proven it', async () => {
    const { platform, customerId } = await createPayer()
    const { privateKey, address } = newEvmWallet()
    const accountInfo = { accountType: 'BASE_WALLET', address }
    const input = { customerId, currency: 'USDC', ownershipType: 'FIRST_PARTY', accountInfo }
    const { body: wallet } = await face.create(platform, input)
    expect(wallet.status).toBe('PENDING_OWNERSHIP_VERIFICATION')
    const { body: challenge } = await face.challenge(platform, wallet.id, { method: 'WALLET_SIGNATURE' })
    const signature = signAsEvm(privateKey, challenge.messageToSign)
    expect((await face.verify(platform, wallet.id, { signature })).body).toMatchObject({ status: 'ACTIVE' })
    expect(await face.delete(platform, wallet.id)).toMatchObject({ status: 204 })
  })
})
