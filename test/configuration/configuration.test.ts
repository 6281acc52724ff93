// The configuration of a platform over both faces: every field, merged, checked as a whole, and obeyed by payments.
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPayer, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { rowsOf } from '#test/setup/places/stored-rows.ts'
import { createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

interface Face {
  readonly name: string
  /** How the face writes the path of a field of the input. */
  readonly placeOf: (field: string) => string
  read(platform: Platform): Promise<{ status: number; body: Json }>
  change(platform: Platform, changes: object): Promise<{ status: number; body: Json }>
}

const REST: Face = {
  name: 'REST',
  placeOf: (field) => field,
  read: (platform) => send(platform, 'GET', '/config'),
  change: (platform, changes) => send(platform, 'PATCH', '/config', changes),
}

const FIELDS = `id umaDomain proxyUmaSubdomain isRegulatedFinancialInstitution createdAt updatedAt
  webhookEndpoint { url signingPublicKey nextSigningPublicKey }
  supportedCurrencies { currencyCode minAmount maxAmount enabledTransactionTypes requiredCounterpartyFields { name mandatory }
    providerRequiredCustomerFields providerRequiredCounterpartyCustomerFields }
  embeddedWalletConfig { appName otpLength alphanumeric expirationSeconds sendFromEmailAddress sendFromEmailSenderName replyToEmailAddress logoUrl }
  passkeyConfig { origins requireUserVerification }
  cardTokenization2faConfig { displayName logoUrl email { fromAddress fromName replyToAddress subject bodyText } sms { templateSid bodyText } }
  feeConfigs { feeType sourceCurrency variableFeeBps fixedFee { amount currency { code name symbol decimals } } }`

const withoutNulls = (value: Json): Json =>
  JSON.parse(JSON.stringify(value, (_name, member) => (member === null ? undefined : member)))

/** In the form that REST uses. */
const bodyOf = ({ webhookEndpoint, passkeyConfig, ...config }: Json, webhookSecret: string | null = null) =>
  withoutNulls({
    ...config,
    passkeyConfig: passkeyConfig.origins.length > 0 || !passkeyConfig.requireUserVerification ? passkeyConfig : null,
    webhookEndpoint: webhookEndpoint?.url,
    webhookSigningPublicKey: webhookEndpoint?.signingPublicKey,
    webhookNextSigningPublicKey: webhookEndpoint?.nextSigningPublicKey,
    webhookSecret,
  })

const GRAPHQL: Face = {
  name: 'GraphQL',
  placeOf: (field) => `input.${field}`,
  read: async (platform) => {
    const { status, body } = await callGraphQL(basic(platform), `{ platformConfig { ${FIELDS} } }`)
    return { status, body: bodyOf(body.data.platformConfig) }
  },
  change: async (platform, input) => {
    const { status, body } = await callGraphQL(
      basic(platform),
      `mutation ($input: UpdatePlatformConfigInput!) { answer: updatePlatformConfig(input: $input) {
        ... on UpdatePlatformConfigSuccess { platformConfig { ${FIELDS} } webhookSecret }
        ... on ApiError { status code message details { field reason } } } }`,
      { input },
    )
    const failed = body.errors?.[0]?.extensions ?? (body.data.answer.code && body.data.answer)
    if (failed) return { status: failed.status ?? status, body: failed }
    return { status: 200, body: bodyOf(body.data.answer.platformConfig, body.data.answer.webhookSecret) }
  },
}

const usd = (given: object = {}) => ({
  currencyCode: 'USD',
  minAmount: 100,
  maxAmount: 50_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
  ...given,
})
const eur = { ...usd(), currencyCode: 'EUR', minAmount: 0, maxAmount: 9_000_000_000_000_000 }
const fee = (given: object = {}) => ({
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency: 'USD',
  variableFeeBps: 30,
  fixedFee: { amount: 50, currency: { code: 'USD' } },
  ...given,
})

const EVERYTHING = {
  umaDomain: 'pay.platform.example',
  webhookEndpoint: 'https://platform.example/webhooks',
  supportedCurrencies: [
    usd({
      requiredCounterpartyFields: [
        { name: 'FULL_NAME', mandatory: true },
        { name: 'EMAIL', mandatory: false },
      ],
    }),
    eur,
  ],
  embeddedWalletConfig: {
    appName: 'Acme Pay',
    otpLength: 8,
    alphanumeric: true,
    expirationSeconds: 120,
    sendFromEmailAddress: 'codes@platform.example',
    sendFromEmailSenderName: 'Acme',
    replyToEmailAddress: 'help@platform.example',
    logoUrl: 'https://platform.example/logo.png',
  },
  passkeyConfig: {
    origins: ['https://app.example', 'http://localhost:3000', `android:apk-key-hash:${'A'.repeat(43)}`],
    requireUserVerification: false,
  },
  cardTokenization2faConfig: {
    displayName: 'Acme Cards',
    logoUrl: 'https://platform.example/card.png',
    email: {
      fromAddress: 'cards@platform.example',
      fromName: 'Acme Cards',
      replyToAddress: 'help@platform.example',
      subject: 'Your code',
      bodyText: 'The code is\n{{code}}',
    },
    sms: { templateSid: 'HX1', bodyText: 'The code is {{code}}' },
  },
  feeConfigs: [fee()],
}

describe.each([REST, GRAPHQL])('the configuration over $name', (face) => {
  it('of a new platform supports every currency, without fees, and has six digits for five minutes', async () => {
    const platform = await createPlatform()
    expect((await face.read(platform)).body).toEqual({
      id: `PlatformConfig:${platform.id}`,
      proxyUmaSubdomain: platform.id.replaceAll('-', ''),
      supportedCurrencies: [],
      isRegulatedFinancialInstitution: false,
      embeddedWalletConfig: {
        otpLength: 6,
        alphanumeric: false,
        expirationSeconds: 300,
        sendFromEmailSenderName: 'Notifications',
      },
      cardTokenization2faConfig: {},
      feeConfigs: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  it('accepts every field at once, returns it on both faces, and merges later changes', async () => {
    const platform = await createPlatform()
    const { status, body } = await face.change(platform, EVERYTHING)
    expect(status).toBe(200)
    const { webhookSecret, ...readable } = body
    expect(webhookSecret).toMatch(/^whsec_/)
    expect(readable).toMatchObject(EVERYTHING)
    for (const other of [REST, GRAPHQL]) expect((await other.read(platform)).body).toEqual(readable)

    const { body: merged } = await face.change(platform, {
      embeddedWalletConfig: { otpLength: null, appName: null, sendFromEmailSenderName: null },
      cardTokenization2faConfig: { displayName: null, email: { subject: 'Code', replyToAddress: null }, sms: null },
      umaDomain: null,
      passkeyConfig: { requireUserVerification: true },
    })
    const { umaDomain: _, ...kept } = readable
    expect(merged).toEqual({
      ...kept,
      updatedAt: expect.any(String),
      passkeyConfig: { ...readable.passkeyConfig, requireUserVerification: true },
      embeddedWalletConfig: {
        ...withoutNulls({ ...readable.embeddedWalletConfig, appName: null }),
        otpLength: 6,
        sendFromEmailSenderName: 'Notifications',
      },
      cardTokenization2faConfig: {
        logoUrl: 'https://platform.example/card.png',
        email: {
          fromAddress: 'cards@platform.example',
          fromName: 'Acme Cards',
          subject: 'Code',
          bodyText: 'The code is\n{{code}}',
        },
      },
    })
    expect(merged.updatedAt > readable.updatedAt).toBe(true)
  })

  it('adds fees and changes them by currency, and 0 turns one off', async () => {
    const platform = await createPlatform()
    const feesAfter = async (feeConfigs: object[]) => {
      const { body } = await face.change(platform, { feeConfigs })
      return body.feeConfigs.map((one: Json) => [one.sourceCurrency, one.variableFeeBps, one.fixedFee.amount])
    }
    expect(await feesAfter([fee()])).toEqual([['USD', 30, 50]])
    const off = { sourceCurrency: 'EUR', variableFeeBps: 0, fixedFee: { amount: 0, currency: { code: 'EUR' } } }
    expect(await feesAfter([fee(off)])).toEqual([['USD', 30, 50]])
    expect(await feesAfter([fee({ variableFeeBps: 10_000 })])).toEqual([['USD', 10_000, 50]])
    expect(await feesAfter([])).toEqual([['USD', 10_000, 50]])
    const none = { variableFeeBps: 0, fixedFee: { amount: 0, currency: { code: 'USD' } } }
    expect(await feesAfter([fee(none)])).toEqual([])
  })

  const wallet = (given: object) => ({ embeddedWalletConfig: given })
  const passkeys = (...origins: string[]) => ({ passkeyConfig: { origins } })
  const cards = (given: object) => ({ cardTokenization2faConfig: given })
  const currencies = (...given: object[]) => ({ supportedCurrencies: given })
  const refused: readonly [changes: object, code: string, field: string][] = [
    [{ umaDomain: 'localhost' }, 'INVALID_INPUT', 'umaDomain'],
    [{ umaDomain: 'https://platform.example' }, 'INVALID_INPUT', 'umaDomain'],
    [{ webhookEndpoint: 'ftp://platform.example' }, 'INVALID_INPUT', 'webhookEndpoint'],
    [{ supportedCurrencies: null }, 'INVALID_INPUT', 'supportedCurrencies'],
    [{ embeddedWalletConfig: null }, 'INVALID_INPUT', 'embeddedWalletConfig'],
    [currencies(usd({ currencyCode: 'ABC' })), 'INVALID_CURRENCY', 'supportedCurrencies.0.currencyCode'],
    [currencies(usd(), usd()), 'INVALID_INPUT', 'supportedCurrencies.1.currencyCode'],
    [currencies(usd({ minAmount: 50_001 })), 'INVALID_INPUT', 'supportedCurrencies.0.minAmount'],
    [currencies(usd({ minAmount: -1 })), 'INVALID_INPUT', 'supportedCurrencies.0.minAmount'],
    [currencies(usd({ maxAmount: 9_000_000_000_000_001 })), 'INVALID_INPUT', 'supportedCurrencies.0.maxAmount'],
    [
      currencies(usd({ requiredCounterpartyFields: [1, 2].map(() => ({ name: 'EMAIL', mandatory: true })) })),
      'INVALID_INPUT',
      'supportedCurrencies.0.requiredCounterpartyFields.1.name',
    ],
    [wallet({ otpLength: 3 }), 'INVALID_INPUT', 'embeddedWalletConfig.otpLength'],
    [wallet({ otpLength: 13 }), 'INVALID_INPUT', 'embeddedWalletConfig.otpLength'],
    [wallet({ expirationSeconds: 0 }), 'INVALID_INPUT', 'embeddedWalletConfig.expirationSeconds'],
    [wallet({ expirationSeconds: 86_401 }), 'INVALID_INPUT', 'embeddedWalletConfig.expirationSeconds'],
    [wallet({ appName: 'x'.repeat(256) }), 'INVALID_INPUT', 'embeddedWalletConfig.appName'],
    [wallet({ appName: 'Acme\r\nBcc: x@y.example' }), 'INVALID_INPUT', 'embeddedWalletConfig.appName'],
    [wallet({ appName: 'Acme \u202e' }), 'INVALID_INPUT', 'embeddedWalletConfig.appName'],
    [
      wallet({ sendFromEmailAddress: 'a@b.example, c@d.example' }),
      'INVALID_INPUT',
      'embeddedWalletConfig.sendFromEmailAddress',
    ],
    [wallet({ logoUrl: 'http://platform.example/logo.png' }), 'INVALID_INPUT', 'embeddedWalletConfig.logoUrl'],
    [
      wallet({ logoUrl: `https://platform.example/${'x'.repeat(512)}` }),
      'INVALID_INPUT',
      'embeddedWalletConfig.logoUrl',
    ],
    [passkeys('http://app.example'), 'INVALID_INPUT', 'passkeyConfig.origins.0'],
    [passkeys('https://app.example/'), 'INVALID_INPUT', 'passkeyConfig.origins.0'],
    [passkeys('https://app.example', 'app.example'), 'INVALID_INPUT', 'passkeyConfig.origins.1'],
    [cards({ email: { bodyText: 'x'.repeat(2001) } }), 'INVALID_INPUT', 'cardTokenization2faConfig.email.bodyText'],
    [cards({ sms: { bodyText: 'x'.repeat(481) } }), 'INVALID_INPUT', 'cardTokenization2faConfig.sms.bodyText'],
    [cards({ sms: { templateSid: 'x'.repeat(65) } }), 'INVALID_INPUT', 'cardTokenization2faConfig.sms.templateSid'],
    [{ feeConfigs: [fee({ variableFeeBps: 10_001 })] }, 'INVALID_INPUT', 'feeConfigs.0.variableFeeBps'],
    [{ feeConfigs: [fee(), fee()] }, 'INVALID_INPUT', 'feeConfigs.1.sourceCurrency'],
    [{ feeConfigs: [fee({ sourceCurrency: 'XXX' })] }, 'INVALID_CURRENCY', 'feeConfigs.0.sourceCurrency'],
    [{ feeConfigs: [fee({ sourceCurrency: 'EUR' })] }, 'INVALID_INPUT', 'feeConfigs.0.fixedFee.currency.code'],
    [
      { feeConfigs: [fee({ sourceCurrency: 'EUR', fixedFee: { amount: 1, currency: { code: 'EUR' } } })] },
      'NOT_IMPLEMENTED',
      'feeConfigs.0.sourceCurrency',
    ],
  ]
  it.each(refused.map(([changes, ...answer]) => [...answer, changes] as const))(
    'refuses with %s of %s, and nothing else in the request changes either',
    async (code, field, changes) => {
      const platform = await createPlatform()
      const before = [(await face.read(platform)).body, await rowsOf(platform)]
      const { body } = await face.change(platform, { ...EVERYTHING, ...changes })
      expect(body.code, JSON.stringify(body)).toBe(code)
      // No payload has a member for 501.
      expect(body.details.field).toBe(code === 'NOT_IMPLEMENTED' ? field : face.placeOf(field))
      expect([(await face.read(platform)).body, await rowsOf(platform)]).toEqual(before)
    },
  )

  it('loses none of many concurrent changes', async () => {
    const platform = await createPlatform()
    const changes = [
      wallet({ appName: 'Acme' }),
      wallet({ otpLength: 9 }),
      cards({ displayName: 'Acme' }),
      cards({ email: { subject: 'S' } }),
      cards({ email: { fromName: 'N' } }),
      cards({ sms: { bodyText: 'B' } }),
      { feeConfigs: [fee()] },
      currencies(usd()),
    ]
    const answers = await Promise.all(changes.map((change) => face.change(platform, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await face.read(platform)).body).toMatchObject({
      embeddedWalletConfig: { appName: 'Acme', otpLength: 9 },
      cardTokenization2faConfig: {
        displayName: 'Acme',
        email: { subject: 'S', fromName: 'N' },
        sms: { bodyText: 'B' },
      },
      feeConfigs: [{ sourceCurrency: 'USD' }],
      supportedCurrencies: [{ currencyCode: 'USD' }],
    })
  })
})

it.each(['id', 'proxyUmaSubdomain', 'isRegulatedFinancialInstitution', 'webhookSigningPublicKey', 'createdAt'])(
  '%s cannot be changed',
  async (field) => {
    const { body } = await REST.change(await createPlatform(), { [field]: 'x', umaDomain: 'pay.platform.example' })
    expect(body).toMatchObject({ code: 'INVALID_INPUT', details: { field } })
  },
)

it('a production platform can only set senders with a public domain', async () => {
  const platform = await createPlatform()
  const localOnly = { embeddedWalletConfig: { sendFromEmailAddress: 'codes@localhost' } }
  expect((await REST.change(platform, localOnly)).status).toBe(200)
  const live = await createPlatform()
  await db.platform.update({ where: { id: live.id }, data: { environment: 'PRODUCTION' } })
  expect((await REST.change(live, localOnly)).body.details.field).toBe('embeddedWalletConfig.sendFromEmailAddress')
  const card = { cardTokenization2faConfig: { email: { fromAddress: 'cards@localhost' } } }
  expect((await REST.change(live, card)).body.details.field).toBe('cardTokenization2faConfig.email.fromAddress')
})

describe.each(paymentFaces)('payments over $name', (face) => {
  const code = ({ status, body }: { status: number; body: Json }) =>
    status < 300 ? status : `${body.code} ${body.details?.reason ?? ''}`.trim()

  it('stay in the range of their currency: −1, at, +1', async () => {
    const { platform, dollars, euros, outside, iban } = await createPayer()
    await REST.change(platform, { supportedCurrencies: [usd({ minAmount: 200, maxAmount: 5_000 }), eur] })
    const asked = async (...amounts: number[]) => {
      const found = []
      for (const amount of amounts) {
        const sending = code(await face.createQuote(platform, quoteInput(dollars, iban, amount)))
        const out = code(await face.transferOut(platform, transferInput(dollars, outside, amount)))
        const incoming = code(await face.transferIn(platform, transferInput(outside, dollars, amount)))
        const receiving = { lockedCurrencySide: 'RECEIVING' }
        const received = code(await face.createQuote(platform, quoteInput(euros, outside, amount, receiving)))
        found.push([sending, out, incoming, received])
      }
      return found
    }
    const [refused, done] = [Array(4).fill('AMOUNT_OUT_OF_RANGE'), Array(4).fill(201)]
    expect(await asked(199, 200, 5_000, 5_001)).toEqual([refused, done, done, refused])
  })

  it('are made only in supported currencies and of enabled types', async () => {
    const { platform, dollars, outside, iban } = await createPayer()
    await REST.change(platform, { supportedCurrencies: [eur] })
    const quote = await face.createQuote(platform, quoteInput(dollars, iban))
    expect(code(quote)).toBe('INVALID_CURRENCY CURRENCY_NOT_SUPPORTED')
    expect(quote.body.details.field).toContain('source.accountId')
    await REST.change(platform, { supportedCurrencies: [usd({ enabledTransactionTypes: ['INCOMING'] })] })
    expect(code(await face.createQuote(platform, quoteInput(dollars, iban, 500)))).toBe(
      'INVALID_CURRENCY TRANSACTION_TYPE_NOT_ENABLED',
    )
    expect(code(await face.transferOut(platform, transferInput(dollars, outside, 500)))).toBe(
      'INVALID_CURRENCY TRANSACTION_TYPE_NOT_ENABLED',
    )
    expect(code(await face.transferIn(platform, transferInput(outside, dollars, 500)))).toBe(201)
    // An empty list again supports every currency.
    await REST.change(platform, { supportedCurrencies: [] })
    expect(code(await face.createQuote(platform, quoteInput(dollars, iban)))).toBe(201)
  })

  it('carry the fee that is configured, until it is turned off', async () => {
    const { platform, dollars, iban } = await createPayer()
    await createInternalAccount(platform)
    const feesOf = async () => (await face.createQuote(platform, quoteInput(dollars, iban))).body.platformFeesIncluded
    expect(await feesOf()).toBe(0)
    await REST.change(platform, { feeConfigs: [fee()] })
    expect(await feesOf()).toBe(50 + Math.round((10_000 - 50) * 0.003))
    await REST.change(platform, {
      feeConfigs: [fee({ variableFeeBps: 0, fixedFee: { amount: 0, currency: { code: 'USD' } } })],
    })
    expect(await feesOf()).toBe(0)
  })
})
