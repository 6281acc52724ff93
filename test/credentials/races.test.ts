// Concurrent calls have one winner: two gateway processes on one database, called over GraphQL and REST.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Answer,
  type CredentialFace,
  credentialFaces,
  type Proof,
} from '#test/setup/credentials/credential-faces.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { createStockedWallets, type Stocked, type StockedWallet } from '#test/setup/credentials/stocked-wallets.ts'
import { type DeviceKey, newKey, sealCode } from '#test/setup/credentials/wallet.ts'
import { newPhone } from '#test/setup/credentials/wallet-operations.ts'
import {
  type CredentialType,
  expectStatus,
  oauthProof,
  passkeyChallenge,
  passkeyRegistration,
  prove,
  SANDBOX_CODE,
} from '#test/setup/credentials/wallet-sessions.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

type Send = (face: CredentialFace, proof?: Proof) => Promise<Answer>

let gateways: GatewayProcess[]
let lanes: { gateway: GatewayProcess; face: CredentialFace }[]
let platform: Platform
beforeAll(async () => {
  gateways = await Promise.all([startGateway(), startGateway()])
  lanes = credentialFaces.flatMap((face) => gateways.map((gateway) => ({ gateway, face })))
  platform = await createPlatform()
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())))

const inLane = <T>(racer: number, send: (face: CredentialFace) => Promise<T>): Promise<T> => {
  const lane = lanes[racer % lanes.length]
  if (!lane) throw new Error('No gateway')
  return through(lane.gateway, () => send(lane.face))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

const atOnce = (racers: number, send: (face: CredentialFace, racer: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(upTo(racers).map((racer) => inLane(racer, (face) => send(face, racer))))

/** The number of concurrent races: enough to keep the machine busy. */
const overAll = async <T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const rest = [...items.entries()].values()
  const runner = async () => {
    for (const [index, item] of rest) results[index] = await run(item, index)
  }
  await Promise.all(upTo(3).map(runner))
  return results
}

/** Sends both legs, with a pause in between for the other callers to catch up. */
const readied = async (racer: number, key: DeviceKey, send: Send) => {
  const proof = await prove(key, expectStatus(await inLane(racer, (face) => send(face)), 202))
  return () => inLane(racer, (face) => send(face, proof))
}

const wordsOf = ({ status, code, details }: Answer) =>
  [status, code, details?.reason].filter((word) => word !== undefined).join(' ')

const won = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 300).length

/** Checks that every race has this many winners and that every loser gets one of these answers. Prints the totals. */
const expectWinners = (
  what: string,
  races: readonly (readonly Answer[])[],
  { winners = 1, losers }: { winners?: number; losers: readonly string[] },
) => {
  const said = new Map<string, number>()
  for (const words of races.flat().map(wordsOf)) said.set(words, (said.get(words) ?? 0) + 1)
  const tooOften = races.filter((answers) => won(answers) > winners).length
  const tooSeldom = races.filter((answers) => won(answers) < winners).length
  const figures = `${what} ${races.length}, racers ${races.flat().length}`
  const verdict = winners === 1 ? 'won twice' : `won more than ${winners} times`
  const answers = [...said].map(([words, count]) => `${words}: ${count}`).join(', ')
  console.log(`${figures}, ${verdict} ${tooOften}, ${winners === 1 ? 'never won' : 'less'} ${tooSeldom} (${answers})`)
  expect({ tooOften, tooSeldom }).toEqual({ tooOften: 0, tooSeldom: 0 })
  const lost = races.flat().filter(({ status }) => status >= 300)
  expect([...new Set(lost.map(wordsOf))].filter((words) => !losers.includes(words))).toEqual([])
}

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)
const liveCredentials = (wallets: readonly StockedWallet[]) =>
  db.authMethod.groupBy({
    by: ['accountId'],
    where: {
      platformId: platform.id,
      accountId: { in: wallets.map(({ accountId }) => uuidOf(accountId)) },
      revokedAt: null,
    },
    _count: true,
  })
const activeSessions = (wallets: readonly StockedWallet[]) =>
  db.walletSession.count({
    where: {
      platformId: platform.id,
      accountId: { in: wallets.map(({ accountId }) => uuidOf(accountId)) },
      revokedAt: null,
    },
  })

/** The number of races of each kind. The full campaign sets RACES=300. */
const RACES = Number(process.env['RACES'] ?? 4)
const FEW = RACES > 30 ? 30 : 6
/** Thousands of calls, on a machine that may be busy. */
const LONG = { timeout: 180_000 }

it('a request id can be used once', LONG, async () => {
  const wallets = await createStockedWallets(platform, RACES, ['EMAIL_OTP'])
  const races = await overAll(wallets, async ({ accountId, credentials: { EMAIL_OTP } }, index) => {
    const { id, key } = EMAIL_OTP.session
    const refreshed = { clientPublicKey: newKey().publicKey }
    const added = { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) }
    const send: Send = (face, proof) =>
      index % 2 === 0 ? face.refresh(platform, id, refreshed, proof) : face.register(platform, added, proof)
    const proof = await prove(key, expectStatus(await inLane(index, (face) => send(face)), 202))
    return atOnce(8, (face) => send(face, proof))
  })
  expectWinners('request ids', races, { losers: ['401 INVALID_SIGNATURE REQUEST_ID_CONSUMED'] })
  expect(await activeSessions(wallets)).toBe(RACES + RACES / 2)
  expect((await liveCredentials(wallets)).map(({ _count }) => _count).toSorted()).toEqual(
    upTo(RACES).map((index) => (index < RACES / 2 ? 1 : 2)),
  )
})

it('one of the last two credentials remains', LONG, async () => {
  const wallets = await createStockedWallets(platform, RACES, ['EMAIL_OTP', 'OAUTH'])
  const races = await overAll(wallets, async ({ credentials: { EMAIL_OTP, OAUTH } }, index) => {
    const revoke = ({ id }: Stocked, { session }: Stocked, racer: number) =>
      readied(index + racer, session.key, (face, proof) => face.revoke(platform, id, proof))
    const [one, other] = await Promise.all([revoke(EMAIL_OTP, OAUTH, 0), revoke(OAUTH, EMAIL_OTP, 1)])
    return Promise.all([one(), other()])
  })
  expectWinners('accounts', races, {
    losers: ['400 INVALID_INPUT LAST_CREDENTIAL', '401 WALLET_SIGNATURE_INVALID SIGNER_NOT_ALLOWED'],
  })
  expect((await liveCredentials(wallets)).map(({ _count }) => _count)).toEqual(upTo(RACES).map(() => 1))
})

// On one Postgres only: the trigger writes to a table that the other nodes do not have.
it.skipIf(isDistributed)('a code is compared at most three times, and is then void', LONG, async () => {
  onTestFinished(async () => {
    await db.$executeRawUnsafe('drop function take_down cascade')
    await db.$executeRawUnsafe('drop table tries_taken')
  })
  await db.$executeRawUnsafe('create table tries_taken (otp_id uuid)')
  await db.$executeRawUnsafe(`create function take_down() returns trigger language plpgsql as
    'begin insert into tries_taken values (new.id); return null; end'`)
  await db.$executeRawUnsafe(`create trigger take_down after update on otp_challenges for each row
    when (new.tries > old.tries) execute function take_down()`)
  const wallets = await createStockedWallets(platform, FEW, ['EMAIL_OTP'])
  const races = await overAll(wallets, async ({ credentials: { EMAIL_OTP } }, index) => {
    const { body } = expectStatus(await inLane(index, (face) => face.challenge(platform, EMAIL_OTP.id)), 200)
    const bundles = await Promise.all(
      [SANDBOX_CODE, '111111', '222222', '333333', '444444'].map((code) =>
        sealCode(body.otpEncryptionTargetBundle, code, newKey().publicKey),
      ),
    )
    const [right, ...wrong] = bundles
    const guess = (encryptedOtpBundle: string | undefined, racer: number) =>
      inLane(racer, (face) => face.verify(platform, EMAIL_OTP.id, { type: 'EMAIL_OTP', encryptedOtpBundle }))
    let judged = 0
    let close = () => {}
    const closed = new Promise<void>((resolve) => {
      close = resolve
    })
    const guesses = upTo(39).map(async (racer) => {
      const answer = await guess(wrong[racer % wrong.length], racer)
      if (answer.details?.reason === 'OTP_CODE') judged += 1
      if (judged === 3) close()
      return answer
    })
    // The correct code arrives after three comparisons, while others are still running.
    await Promise.race([closed, Promise.all(guesses)])
    const opened = await guess(right, index)
    return [...(await Promise.all(guesses)), opened]
  })
  const taken = await db.$queryRaw<{ tries: bigint }[]>`select count(*) as tries from tries_taken group by otp_id`
  const judged = races.map((answers) => answers.filter(({ details }) => details?.reason === 'OTP_CODE').length)
  console.log(
    `codes ${races.length}, guesses ${races.flat().length}, most tries ${Math.max(...taken.map(({ tries }) => Number(tries)))}, most judged ${Math.max(...judged)}, opened ${won(races.flat())}`,
  )
  expect(taken.map(({ tries }) => Number(tries))).toEqual(upTo(FEW).map(() => 3))
  expect(judged).toEqual(upTo(FEW).map(() => 3))
  expectWinners('codes', races, {
    winners: 0,
    losers: ['401 UNAUTHORIZED OTP_CODE', '401 UNAUTHORIZED OTP_NOT_PENDING', '429 RATE_LIMITED'],
  })
})

const added = (what: string) => [`400 ${what}_CREDENTIAL_ALREADY_EXISTS`]

it('a passkey is registered once on a platform', async () => {
  const wallets = await createStockedWallets(platform, 2 * FEW, ['EMAIL_OTP'])
  const pairs = upTo(FEW).map((index) => wallets.slice(2 * index, 2 * index + 2))
  const races = await overAll(pairs, async (pair) => {
    const authenticator = softwareAuthenticator()
    const ready = pair.map((wallet, racer) => {
      const input = passkeyRegistration(wallet, authenticator)
      const { key } = wallet.credentials.EMAIL_OTP.session
      return readied(racer, key, (face, proof) => face.register(platform, input, proof))
    })
    return Promise.all((await Promise.all(ready)).map((send) => send()))
  })
  expectWinners('passkeys', races, { losers: added('PASSKEY') })
})

it.each(['EMAIL_OTP', 'SMS_OTP'] as const)('an account has one %s', async (type) => {
  const wallets = await createStockedWallets(platform, FEW, ['OAUTH'])
  const races = await overAll(wallets, async ({ accountId, credentials: { OAUTH } }) => {
    const { key } = OAUTH.session
    const send: Send = (face, proof) => face.register(platform, { type, accountId }, proof)
    const ready = await Promise.all(upTo(2).map((racer) => readied(racer, key, send)))
    return Promise.all(ready.map((second) => second()))
  })
  expectWinners(`additions of ${type}`, races, { losers: added(type) })
})

it('a wallet has one first credential', async () => {
  const wallets = await createStockedWallets(platform, FEW, [])
  const races = await overAll(wallets, ({ accountId }) =>
    atOnce(4, (face, racer) => face.register(platform, { type: racer % 2 === 0 ? 'EMAIL_OTP' : 'SMS_OTP', accountId })),
  )
  const first = races.map((answers) => answers.filter(({ status }) => status !== 202))
  // Later ones must be signed.
  console.log(`second legs required: ${races.flat().length - first.flat().length}`)
  expectWinners('wallets', first, { losers: [...added('EMAIL_OTP'), ...added('SMS_OTP')] })
  expect((await liveCredentials(wallets)).map(({ _count }) => _count)).toEqual(upTo(FEW).map(() => 1))
})

it('an identity token opens one session', async () => {
  const wallets = await createStockedWallets(platform, FEW, ['OAUTH'])
  const races = await overAll(wallets, ({ identity, credentials: { OAUTH } }) => {
    const input = oauthProof(identity, newKey())
    return atOnce(8, (face) => face.verify(platform, OAUTH.id, input))
  })
  expectWinners('identity tokens', races, { losers: ['401 UNAUTHORIZED OIDC_NONCE', '429 RATE_LIMITED'] })
  expect(await activeSessions(wallets)).toBe(2 * FEW)
})

it('an assertion opens one session', async () => {
  const wallets = await createStockedWallets(platform, FEW, ['PASSKEY'])
  const races = await overAll(wallets, async (wallet, index) => {
    const { id } = wallet.credentials.PASSKEY
    const { body } = await inLane(index, (face) => passkeyChallenge(face, wallet, id))
    const input = { type: 'PASSKEY', assertion: wallet.authenticator.get(body.challenge) }
    return atOnce(8, (face) => face.verify(platform, id, input, { requestId: body.requestId }))
  })
  expectWinners('assertions', races, {
    losers: ['401 INVALID_SIGNATURE REQUEST_ID_CONSUMED', '401 UNAUTHORIZED ASSERTION_COUNTER', '429 RATE_LIMITED'],
  })
  expect(await activeSessions(wallets)).toBe(2 * FEW)
})

it('only one of two copies of a passkey with the same counter is accepted', async () => {
  const wallets = await createStockedWallets(platform, FEW, ['PASSKEY'])
  const races = await overAll(wallets, async (wallet) => {
    const { id } = wallet.credentials.PASSKEY
    const proofs = await Promise.all(
      upTo(2).map(async (racer) => {
        const { body } = await inLane(racer, (face) => passkeyChallenge(face, wallet, id))
        const assertion = wallet.authenticator.get(body.challenge, { counter: 7 })
        return { input: { type: 'PASSKEY', assertion }, requestId: body.requestId }
      }),
    )
    const verify = ({ input, requestId }: { input: object; requestId: string }, racer: number) =>
      inLane(racer, (face) => face.verify(platform, id, input, { requestId }))
    return Promise.all(proofs.map(verify))
  })
  expectWinners('counters', races, { losers: ['401 UNAUTHORIZED ASSERTION_COUNTER'] })
})

it.each(['email', 'phoneNumber'] as const)('a new %s goes to one customer', async (column) => {
  const type: CredentialType = column === 'email' ? 'EMAIL_OTP' : 'SMS_OTP'
  const wallets = await createStockedWallets(platform, 2 * FEW, [type])
  const pairs = upTo(FEW).map((index) => wallets.slice(2 * index, 2 * index + 2))
  const races = await overAll(pairs, async (pair, index) => {
    const value = column === 'email' ? `new-${pair[0]?.email}` : newPhone()
    const ready = pair.map(({ customerId, credentials }, racer) =>
      readied(racer + index, credentials[type].session.key, (face, proof) =>
        face.updateCustomer(platform, customerId, { [column]: value }, proof),
      ),
    )
    return Promise.all((await Promise.all(ready)).map((send) => send()))
  })
  expectWinners(`new values of ${column}`, races, { losers: ['409 EMAIL_OTP_EMAIL_ALREADY_EXISTS'] })
})

it('both processes share one count of challenges', async () => {
  const wallets = await createStockedWallets(platform, 10, ['EMAIL_OTP', 'PASSKEY'])
  const credentials = wallets.flatMap(({ credentials: { EMAIL_OTP, PASSKEY } }) => [EMAIL_OTP, PASSKEY])
  const input = { clientPublicKey: newKey().publicKey }
  const races = await overAll(credentials, ({ id }, index) =>
    atOnce(20, (face) => face.challenge(platform, id, index % 2 === 0 ? undefined : input)),
  )
  expectWinners('challenged credentials', races, { winners: 5, losers: ['429 RATE_LIMITED'] })
  const refused = races.flat().filter(({ status }) => status === 429)
  expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1 && Number(retryAfter) <= 300)).toBe(true)
})
