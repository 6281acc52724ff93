// Every magic value that `sandboxScenarios` lists is tried over the public API (docs/domain/sandbox.md#magic-values).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { MAGIC_TABLES, MAGIC_VALUES_TEXT } from '#sandbox/scenarios.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { otpProof } from '#test/setup/credentials/wallet-sessions.ts'
import { ask } from '#test/setup/faces.ts'
import { createPayer, quoteInput, timelineOf, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { buys, fundsCard, ordersCard } from '#test/setup/sandbox/card-trials.ts'
import { createEuropean } from '#test/setup/sca/europeans.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import {
  createCustomer,
  createInternalAccount,
  createPlatform,
  createWallet,
  type Platform,
} from '#test/setup/world.ts'

interface Listed {
  readonly table: string
  readonly place: string
  readonly match: 'SUFFIX' | 'CODE' | 'UMA_NAME'
  readonly value: string | null
  readonly effect: string
}

const platform = await createPlatform()
const { data } = await ask<{ sandboxScenarios: Listed[] }, object>(
  platform,
  '{ sandboxScenarios { table place match value effect } }',
)
const listed = data?.sandboxScenarios ?? []

const advance = (by: Platform, seconds = 10) => send(by, 'POST', '/sandbox/advance-time', { seconds })

const usd = (suffix: string) => ({
  accountType: 'USD_ACCOUNT',
  accountNumber: `1234567${suffix}`,
  routingNumber: '021000021',
})

const addAccount = async (by: Platform, customerId: string, suffix: string) => {
  const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' }
  const accountInfo = { ...usd(suffix), paymentRails: ['ACH'], beneficiary }
  return send(by, 'POST', '/customers/external-accounts', { customerId, currency: 'USD', accountInfo })
}

/** The states after PROCESSING and the refund, after ten seconds. */
const endOf = async (by: Platform, id: string, seconds = 10): Promise<string> => {
  await advance(by, seconds)
  const states = await timelineOf(by, id)
  const { body } = await send(by, 'GET', `/transactions/${id}`)
  const refund = body.refund ? [`refund ${body.refund.status}`] : []
  return [...states.slice(states.indexOf('PROCESSING') + 1), ...refund].join(', ')
}

const paysByQuote = async (suffix: string) => {
  const { platform: by, dollars, customerId } = await createPayer()
  const { body: outside } = await addAccount(by, customerId, suffix)
  const { body: quote } = await send(by, 'POST', '/quotes', quoteInput(dollars, outside.id))
  await send(by, 'POST', `/quotes/${quote.id}/execute`)
  return endOf(by, quote.transactionId)
}

const transfers = (path: '/transfer-out' | '/transfer-in') => async (suffix: string) => {
  const { platform: by, dollars, customerId } = await createPayer()
  const { body: outside } = await addAccount(by, customerId, suffix)
  const ends = path === '/transfer-out' ? [dollars, outside.id] : [outside.id, dollars]
  const { body } = await send(by, 'POST', path, transferInput(ends[0], ends[1], 100))
  return endOf(by, body.id)
}

const addsAccount = async (suffix: string) => {
  const { platform: by, customerId } = await createPayer()
  const { body } = await addAccount(by, customerId, suffix)
  return body.code ?? body.beneficiaryVerificationStatus
}

const isPaidBy = async (name: string) => {
  const by = await createPlatform()
  const { id } = await createCustomer(by, {
    profile: { birthDate: '1990-01-01', nationality: 'US', address: { line1: '1', postalCode: '1', country: 'US' } },
  })
  await createInternalAccount(by, { customerId: id })
  const { body } = await send(by, 'POST', '/sandbox/uma/receive', {
    senderUmaAddress: `${name}@any.example`,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 100,
    customerId: publicId('Customer', id),
  })
  await send(by, 'POST', `/transactions/${body.id}/approve`, { receiverCustomerInfo: { FULL_NAME: 'Ada' } })
  return endOf(by, body.id)
}

const paysUma = async (name: string) => {
  const { platform: by, customerId, dollars } = await createPayer()
  const address = `${name}@any.example`
  const { body: found } = await send(by, 'GET', `/receiver/uma/${encodeURIComponent(address)}?customerId=${customerId}`)
  if (found.code) return found.code
  const { body: quote } = await send(by, 'POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: dollars },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: address },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    lookupId: found.lookupId,
  })
  await send(by, 'POST', `/quotes/${quote.id}/execute`)
  return endOf(by, quote.transactionId)
}

const createsPerson = async (suffix: string) => {
  const { body } = await send(platform, 'POST', '/customers', { customerType: 'INDIVIDUAL', fullName: `Ada ${suffix}` })
  return body.kycStatus
}

const submits = async (by: Platform, customerId: string) => {
  const { body } = await send(by, 'POST', '/verifications', { customerId })
  await advance(by)
  const { body: after } = await send(by, 'GET', `/verifications/${body.id}`)
  const isPoor = after.errors.some(({ type }: { type: string }) => type === 'POOR_QUALITY_DOCUMENT')
  return [after.verificationStatus, ...(isPoor ? ['POOR_QUALITY_DOCUMENT'] : [])].join(', ')
}

const submitsPerson = async (suffix: string) => {
  const by = await createPlatform()
  const { id } = await createCustomer(by, { verificationStatus: 'UNVERIFIED', name: `Ada ${suffix}`, profile: {} })
  return submits(by, publicId('Customer', id))
}

const createBusiness = (by: Platform, registrationNumber: string) =>
  createCustomer(by, {
    customerType: 'BUSINESS',
    verificationStatus: 'UNVERIFIED',
    profile: { businessInfo: { registrationNumber } },
  })

const submitsBusiness = async (suffix: string) => {
  const by = await createPlatform()
  return submits(by, publicId('Customer', (await createBusiness(by, `HRB ${suffix}`)).id))
}

const addsOwner = async (suffix: string) => {
  const { id } = await createBusiness(platform, 'HRB 7')
  const { body } = await send(platform, 'POST', '/beneficial-owners', {
    customerId: publicId('Customer', id),
    roles: ['UBO'],
    ownershipPercentage: 51,
    personalInfo: {
      firstName: 'Nora',
      lastName: `Lindqvist ${suffix}`,
      birthDate: '1980-04-12',
      nationality: 'SE',
      address: { line1: '1 Main Street', postalCode: '10115', country: 'DE' },
      idType: 'PASSPORT',
      identifier: 'P-1',
      countryOfIssuance: 'SE',
    },
  })
  return body.kycStatus
}

const opensWallet = async (code: string) => {
  const wallet = await createWallet(await createPlatform())
  const face = credentialFaces[1]
  if (!face) throw new Error('No face')
  const credential = { id: wallet.credentialId, type: 'EMAIL_OTP' } as const
  const { status } = await face.verify(
    wallet.platform,
    wallet.credentialId,
    await otpProof(face, wallet, credential, { code }),
  )
  return status === 202 ? 'right' : `wrong ${status}`
}

const verifiesContact = async (code: string) => {
  const { platform: by, customerId } = await createEuropean({ verifiedPhoneNumber: null })
  await callRest(by, 'POST', `/customers/${customerId}/verify-phone`)
  const { status } = await callRest(by, 'POST', `/customers/${customerId}/verify-phone/confirm`, { code })
  return status === 200 ? 'right' : `wrong ${status}`
}

const FAILS = 'FAILED QUOTE_EXECUTION_FAILED'
const BOUNCES = 'FAILED COUNTERPARTY_POST_TX_FAILED'
const GOES_BACK = 'refund COMPLETED'
const OTHER_SUFFIX = '999'
const OTHER_CODE = '999999'

interface Trial {
  readonly use: (value: string) => Promise<string>
  /** A value that is in no table. */
  readonly other: string
  /** The observed outcomes by value. `other` stands for every other value. An empty text is a payment that is still under way after ten seconds. */
  readonly seen: Readonly<Record<string, string>>
}

const TRIALS: Readonly<Record<string, Trial>> = {
  EXTERNAL_ACCOUNT_OF_QUOTE: {
    use: paysByQuote,
    other: OTHER_SUFFIX,
    seen: {
      '002': `${FAILS}, ${GOES_BACK}`,
      '003': '',
      '004': `${BOUNCES}, ${GOES_BACK}`,
      '005': `COMPLETED, ${BOUNCES}, ${GOES_BACK}`,
      '006': `COMPLETED, ${GOES_BACK}`,
      '007': `${BOUNCES}, refund FAILED`,
      other: 'COMPLETED',
    },
  },
  EXTERNAL_ACCOUNT_OF_TRANSFER_OUT: {
    use: transfers('/transfer-out'),
    other: OTHER_SUFFIX,
    seen: {
      '002': `${FAILS}, ${GOES_BACK}`,
      '003': `${FAILS}, ${GOES_BACK}`,
      '004': `${FAILS}, ${GOES_BACK}`,
      '005': '',
      other: 'COMPLETED',
    },
  },
  EXTERNAL_ACCOUNT_OF_TRANSFER_IN: {
    use: transfers('/transfer-in'),
    other: OTHER_SUFFIX,
    seen: { '002': FAILS, '003': FAILS, '004': FAILS, '005': '', other: 'COMPLETED' },
  },
  BENEFICIARY_CHECK: {
    use: addsAccount,
    other: OTHER_SUFFIX,
    seen: {
      '102': 'NOT_MATCHED',
      '103': 'PARTIAL_MATCH',
      '104': 'PENDING',
      '105': 'INVALID_BANK_ACCOUNT',
      '106': 'UNSUPPORTED',
      '107': 'CHECKED_BY_RECEIVING_FI',
      other: 'MATCHED',
    },
  },
  CARD_ISSUANCE: {
    use: ordersCard,
    other: OTHER_SUFFIX,
    seen: { '001': 'PROCESSING', '002': 'CLOSED ISSUER_REJECTED', '005': 'PROCESSING', other: 'ACTIVE' },
  },
  CARD_FUNDING_SOURCE: {
    use: fundsCard,
    other: 'abc',
    seen: { '002': 'FUNDING_SOURCE_INELIGIBLE', '003': 'FUNDING_SOURCE_INELIGIBLE', other: '201' },
  },
  CARD_MERCHANT: {
    use: buys,
    other: OTHER_SUFFIX,
    seen: {
      '002': 'declined',
      '003': 'declined',
      '005': 'not pulled yet, SETTLED',
      '006': 'pulled, EXCEPTION',
      other: 'pulled, SETTLED',
    },
  },
  UMA_RECEIVER: {
    use: paysUma,
    other: '$anybody',
    seen: {
      '$success.usd': 'COMPLETED',
      '$success.eur': 'COMPLETED',
      '$success.mxn': 'COMPLETED',
      '$pending.long.usd': '',
      '$fail.compliance.usd': `${BOUNCES}, ${GOES_BACK}`,
      // The platform knows no provider of this domain.
      other: 'COUNTERPARTY_NOT_ALLOWED',
    },
  },
  UMA_SENDER: {
    use: isPaidBy,
    other: '$anybody',
    seen: {
      '$success.usd': 'COMPLETED',
      '$success.eur': 'COMPLETED',
      '$success.mxn': 'COMPLETED',
      '$pending.long.usd': '',
      '$fail.compliance.usd': `FAILED OFFRAMP_FAILED, ${GOES_BACK}`,
      other: 'COMPLETED',
    },
  },
  NEW_PERSON: {
    use: createsPerson,
    other: OTHER_SUFFIX,
    seen: { '001': 'PENDING', '002': 'REJECTED', '003': 'UNVERIFIED', other: 'APPROVED' },
  },
  VERIFIED_PERSON: {
    use: submitsPerson,
    other: OTHER_SUFFIX,
    seen: {
      '001': 'RESOLVE_ERRORS',
      '002': 'REJECTED',
      '003': 'RESOLVE_ERRORS, POOR_QUALITY_DOCUMENT',
      other: 'APPROVED',
    },
  },
  VERIFIED_BUSINESS: {
    use: submitsBusiness,
    other: OTHER_SUFFIX,
    seen: { '001': 'RESOLVE_ERRORS', '002': 'REJECTED', '003': 'RESOLVE_ERRORS', other: 'APPROVED' },
  },
  BENEFICIAL_OWNER: {
    use: addsOwner,
    other: OTHER_SUFFIX,
    seen: { '001': 'PENDING', '002': 'REJECTED', other: 'APPROVED' },
  },
  WALLET_CODE: { use: opensWallet, other: OTHER_CODE, seen: { '000000': 'right', other: 'wrong 401' } },
  SCA_CODE: { use: verifiesContact, other: OTHER_CODE, seen: { '123456': 'right', other: 'wrong 400' } },
}

it('every magic value has an expectation, and no expectation is stale', () => {
  const tables = Object.fromEntries(
    MAGIC_TABLES.map(({ name }) => [
      name,
      listed
        .filter(({ table }) => table === name)
        .map(({ value }) => value ?? 'other')
        .toSorted(),
    ]),
  )
  expect(tables).toEqual(
    Object.fromEntries(Object.entries(TRIALS).map(([name, { seen }]) => [name, Object.keys(seen).toSorted()])),
  )
})

it.each(listed.map((one) => [one.table, one.value ?? 'other', one.effect] as const))(
  '%s %s: %s',
  async (table, value) => {
    const trial = TRIALS[table]
    expect(await trial?.use(value === 'other' ? trial.other : value)).toBe(trial?.seen[value])
  },
)

it('payments that are under way for longer end as listed', async () => {
  const { platform: by, dollars, customerId } = await createPayer()
  const { body: late } = await addAccount(by, customerId, '003')
  const { body: pending } = await addAccount(by, customerId, '005')
  const { body: quote } = await send(by, 'POST', '/quotes', quoteInput(dollars, late.id))
  await send(by, 'POST', `/quotes/${quote.id}/execute`)
  const { body: out } = await send(by, 'POST', '/transfer-out', transferInput(dollars, pending.id, 100))
  expect(await endOf(by, out.id, 15)).toBe('')
  expect(await endOf(by, out.id, 20)).toBe(`${FAILS}, ${GOES_BACK}`)
  expect(await endOf(by, quote.transactionId, 200)).toBe('')
  expect(await endOf(by, quote.transactionId, 130)).toBe('COMPLETED')
})

it('every suffix of an external account is accepted as the end of a wallet address', async () => {
  const { platform: by, customerId } = await createPayer()
  const suffixes = listed
    .filter(({ table }) => /EXTERNAL_ACCOUNT|BENEFICIARY/.test(table))
    .flatMap(({ value }) => value ?? [])
  for (const suffix of new Set(suffixes)) {
    const accountInfo = { accountType: 'SOLANA_WALLET', address: `${'A'.repeat(33)}${suffix}` }
    const { status } = await send(by, 'POST', '/customers/external-accounts', {
      customerId,
      currency: 'USDC',
      accountInfo,
    })
    expect({ suffix, status }).toEqual({ suffix, status: 201 })
  }
})

it('the contract and the documentation hold the tables', () => {
  const { tags } = JSON.parse(readFileSync('src/rest/openapi.json', 'utf8')) as {
    tags: { name: string; description: string }[]
  }
  expect(tags.find(({ name }) => name === 'Sandbox')?.description).toContain(MAGIC_VALUES_TEXT)
  expect(readFileSync(join('docs', 'domain', 'sandbox.md'), 'utf8')).toContain(MAGIC_VALUES_TEXT)
})
