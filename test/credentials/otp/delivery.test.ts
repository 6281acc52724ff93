// Delivery of one-time codes: what an email server and an SMS gateway receive, and how their failures are reported.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '#core/config.ts'
import { parseEnvironment } from '#core/environment.ts'
import { deliverCode, requireTransport } from '#credentials/kinds/otp/delivery.ts'
import { useSettings } from '#test/setup/settings.ts'

interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

interface Sms {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const mails: Mail[] = []
const texts: Sms[] = []
/** The status that the SMS gateway answers. With null it stays silent. */
let smsStatus: number | null = 202
/** The email server's answer to a recipient. */
let refusesRecipients = false

const TOKEN = 'sms-token-8d1f'
const CODE = '493817'
const ALICE = 'alice@customer.example'
const PHONE = '+14155550123'

const smtpServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) =>
    done(refusesRecipients ? new Error(`550 No such user ${address}`) : undefined),
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = envelope
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      })
      done()
    })
  },
})

const smsGateway = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  request.on('end', () => {
    texts.push({ headers: request.headers, body })
    if (smsStatus !== null) response.writeHead(smsStatus, smsStatus === 302 ? { location: '/elsewhere' } : {}).end()
  })
})

const portOf = async (server: Server | SMTPServer['server']) => {
  if (!server.listening) await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The gateway has these settings from now on. Throws if it would not start with them. */
const startWith = (variables: Partial<Record<'SMTP_URL' | 'EMAIL_FROM' | 'SMS_URL' | 'SMS_TOKEN', string>>) => {
  const { values, problems } = parseEnvironment({ ...process.env, ...variables })
  if (problems) throw new Error(problems.join('\n'))
  const { SMTP_URL, EMAIL_FROM, SMS_URL, SMS_TOKEN } = values
  config.email = SMTP_URL && EMAIL_FROM ? { url: SMTP_URL, from: EMAIL_FROM } : null
  config.sms = SMS_URL && SMS_TOKEN ? { url: SMS_URL, token: SMS_TOKEN } : null
}

const all = async () => ({
  SMTP_URL: `smtp://127.0.0.1:${await portOf(smtpServer.server)}`,
  EMAIL_FROM: 'Payments <codes@platform.example>',
  SMS_URL: `http://127.0.0.1:${await portOf(smsGateway)}/messages`,
  SMS_TOKEN: TOKEN,
})

const byEmail = { type: 'EMAIL_OTP', to: ALICE, code: CODE, expirationSeconds: 300 } as const
const bySms = { type: 'SMS_OTP', to: PHONE, code: CODE, expirationSeconds: 90 } as const

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', status: 503 }

// The tests set others.
useSettings({})
beforeAll(() => {
  smtpServer.listen(0, '127.0.0.1')
  smsGateway.listen(0, '127.0.0.1')
})

beforeEach(async () => {
  startWith(await all())
  mails.length = 0
  texts.length = 0
  smsStatus = 202
  refusesRecipients = false
})

afterAll(async () => {
  smsGateway.closeAllConnections()
  smsGateway.close()
  await new Promise<void>((resolve) => smtpServer.close(() => resolve()))
})

describe('a production customer', () => {
  it('receives the code by email from the configured sender, with its lifetime', async () => {
    await deliverCode('PRODUCTION', byEmail)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ from: 'codes@platform.example', to: [ALICE] })
    expect(mails[0]?.text).toMatch(/^From: Payments <codes@platform.example>\r$/m)
    expect(mails[0]?.text).toMatch(/^Subject: Your verification code\r$/m)
    expect(mails[0]?.text).toContain(`Your verification code is ${CODE}. It is valid for 5 minutes.`)
    expect(texts).toEqual([])
  })

  it('receives the code by SMS; the gateway authenticates us by its token', async () => {
    await deliverCode('PRODUCTION', bySms)
    expect(texts).toHaveLength(1)
    expect(texts[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    })
    expect(JSON.parse(texts[0]?.body ?? '')).toEqual({
      to: PHONE,
      body: expect.stringContaining(`Your verification code is ${CODE}. It is valid for 90 seconds.`),
    })
    expect(mails).toEqual([])
  })

  it('uses the name, sender, reply address and logo of the platform, and bounces go to the operator', async () => {
    const style = {
      appName: "Bits & Bob's",
      sendFromEmailAddress: 'hello@bobs.example',
      sendFromEmailSenderName: null,
      replyToEmailAddress: 'help@bobs.example',
      logoUrl: 'https://bobs.example/logo.png?a=1&b=2',
    }
    await deliverCode('PRODUCTION', { ...byEmail, style })
    const { from, to, text } = mails[0] ?? { text: '' }
    expect({ from, to }).toEqual({ from: 'codes@platform.example', to: [ALICE] })
    for (const line of [
      'From: Notifications <hello@bobs.example>',
      'Sender: Payments <codes@platform.example>',
      'Reply-To: help@bobs.example',
      "Subject: Your Bits & Bob's verification code",
    ]) {
      expect(text.split('\r\n')).toContain(line)
    }
    expect(text).toContain(`Your Bits & Bob's verification code is ${CODE}.`)
    const html = text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(html).toContain('<img src="https://bobs.example/logo.png?a=1&amp;b=2" alt="Bits &amp; Bob&#39;s"')
    await deliverCode('PRODUCTION', {
      ...byEmail,
      style: { ...style, sendFromEmailAddress: null, sendFromEmailSenderName: 'Bobs', logoUrl: null },
    })
    expect(mails[1]?.text).toMatch(/^From: Bobs <codes@platform.example>\r$/m)
    expect(mails[1]?.text).not.toContain('<img')
  })

  it.each([
    [1, '1 second'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [3_600, '1 hour'],
    [86_400, '24 hours'],
  ])('reads %i seconds as %s', async (expirationSeconds, duration) => {
    await deliverCode('PRODUCTION', { ...bySms, expirationSeconds })
    expect(texts[0]?.body).toContain(`valid for ${duration}.`)
  })

  it('is the only recipient: an address with a comma stays one address', async () => {
    const to = 'alice@customer.example, mallory@evil.example'
    await deliverCode('PRODUCTION', { ...byEmail, to }).catch(() => {})
    expect(mails.flatMap((mail) => mail.to)).not.toContain('mallory@evil.example')
  })
})

it('a sandbox customer receives nothing, with or without a transport', async () => {
  for (const variables of [await all(), {}]) {
    startWith(variables)
    for (const message of [byEmail, bySms]) {
      requireTransport('SANDBOX', message.type)
      await deliverCode('SANDBOX', message)
    }
  }
  expect([mails, texts]).toEqual([[], []])
})

describe('without a transport', () => {
  it.each(['EMAIL_OTP', 'SMS_OTP'] as const)('%s is 503 in production, and no code is created', async (type) => {
    startWith({})
    expect(() => requireTransport('PRODUCTION', type)).toThrow(
      expect.objectContaining({ ...UNAVAILABLE, message: expect.stringContaining(type) }),
    )
    const message = type === 'EMAIL_OTP' ? byEmail : bySms
    await expect(deliverCode('PRODUCTION', message)).rejects.toMatchObject(UNAVAILABLE)
  })

  it('the other type still works', async () => {
    const { SMS_URL, SMS_TOKEN } = await all()
    startWith({ SMS_URL, SMS_TOKEN })
    expect(() => requireTransport('PRODUCTION', 'EMAIL_OTP')).toThrow(expect.objectContaining(UNAVAILABLE))
    requireTransport('PRODUCTION', 'SMS_OTP')
    await deliverCode('PRODUCTION', bySms)
    expect(texts).toHaveLength(1)
  })
})

describe('the gateway refuses to start', () => {
  it.each([
    ['a server without a sender', { SMTP_URL: 'smtp://mail.example' }, 'EMAIL_FROM and SMTP_URL must be set together'],
    [
      'a sender without a server',
      { EMAIL_FROM: 'codes@platform.example' },
      'EMAIL_FROM and SMTP_URL must be set together',
    ],
    ['a gateway without a token', { SMS_URL: 'https://sms.example' }, 'SMS_TOKEN and SMS_URL must be set together'],
    ['a web address for email', { SMTP_URL: 'https://mail.example', EMAIL_FROM: 'a@b' }, 'SMTP_URL must be'],
    ['SMS in the clear', { SMS_URL: 'http://sms.example', SMS_TOKEN: TOKEN }, 'SMS_URL must be an https:// address'],
    ['a host that only looks local', { SMS_URL: 'http://localhost.evil.example', SMS_TOKEN: TOKEN }, 'SMS_URL must be'],
  ])('with %s', (_what, variables, problem) => {
    expect(() => startWith(variables)).toThrow(problem)
  })
})

describe('a failed delivery is 503, and the log has its cause without the address, code or token', () => {
  const failing = async (message: typeof byEmail | typeof bySms) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const began = performance.now()
    try {
      await expect(deliverCode('PRODUCTION', message)).rejects.toMatchObject({
        ...UNAVAILABLE,
        message: 'The code could not be sent. Try again in a moment',
      })
      const log = write.mock.calls.map(([line]) => String(line)).join('')
      for (const secret of [CODE, ALICE, PHONE, TOKEN]) expect(log).not.toContain(secret)
      expect(JSON.parse(log)).toMatchObject({ event: 'failure', task: `deliver ${message.type}` })
      return { cause: JSON.parse(log).message as string, seconds: (performance.now() - began) / 1000 }
    } finally {
      write.mockRestore()
    }
  }

  it.each([400, 401, 500])('the SMS gateway answers %i', async (status) => {
    smsStatus = status
    expect((await failing(bySms)).cause).toBe(`Not delivered: HTTP_${status}`)
  })

  it('the SMS gateway redirects: the token is not sent to the new address', async () => {
    smsStatus = 302
    await failing(bySms)
    expect(texts).toHaveLength(1)
  })

  it('the SMS gateway does not answer for five seconds', async () => {
    smsStatus = null
    const { cause, seconds } = await failing(bySms)
    expect(cause).toBe('Not delivered: TimeoutError')
    expect(seconds).toBeGreaterThan(4.5)
  })

  it('nothing listens', async () => {
    const nowhere = createTcpServer().listen(0, '127.0.0.1')
    const port = await portOf(nowhere)
    nowhere.close()
    startWith({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      EMAIL_FROM: 'codes@platform.example',
      SMS_URL: `http://127.0.0.1:${port}`,
      SMS_TOKEN: TOKEN,
    })
    for (const message of [byEmail, bySms]) {
      expect((await failing(message)).cause).toMatch(/^Not delivered: (.*ECONNREFUSED|ESOCKET|ECONNECTION)/)
    }
  })

  it('the email server refuses the recipient', async () => {
    refusesRecipients = true
    expect((await failing(byEmail)).cause).toMatch(/^Not delivered: EENVELOPE \d{3}$/)
    expect(mails).toEqual([])
  })

  it.each(['', '?requireTLS=false', '?ignoreTLS=true&requireTLS=false', '?opportunisticTLS=true'])(
    'a remote email server offers no TLS: nothing is sent in the clear, whatever the options in its URL: %s',
    async (query) => {
      // The address of this machine in another notation.
      const SMTP_URL = `smtp://0.0.0.0:${await portOf(smtpServer.server)}/${query}`
      startWith({ SMTP_URL, EMAIL_FROM: 'codes@platform.example' })
      expect((await failing(byEmail)).cause).toMatch(/^Not delivered: ETLS/)
      expect(mails).toEqual([])
    },
  )

  it('the email server sends no greeting for three seconds', async () => {
    const mute = createTcpServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    const SMTP_URL = `smtp://127.0.0.1:${await portOf(mute)}`
    startWith({ SMTP_URL, EMAIL_FROM: 'codes@platform.example' })
    const { cause, seconds } = await failing(byEmail)
    mute.close()
    expect(cause).toBe('Not delivered: ETIMEDOUT')
    expect(seconds).toBeGreaterThan(2.5)
  })
})
