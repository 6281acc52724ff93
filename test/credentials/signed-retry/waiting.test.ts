// Pending signed requests: at most twenty per account, and a new one voids the oldest.
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSecret, sealSecret } from '#core/keys.ts'
import { forgetExpired } from '#credentials/signed-retry/pending-request.ts'
import { db } from '#database/db.ts'
import { type Answer, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { waiting } from '#test/setup/credentials/interleaved.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { createHousehold, OPERATIONS } from '#test/setup/credentials/wallet-operations.ts'
import { expectStatus, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  it('the twenty-first pending request voids the oldest', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['wallet privacy'](house)
    const challenges: Answer[] = []
    for (let count = 0; count < 21; count += 1) challenges.push(expectStatus(await operation.send(), 202))
    const [oldest, next] = challenges as [Answer, Answer]
    expect(await operation.send(await prove(house.emailSession.key, oldest))).toMatchObject({
      status: 401,
      code: 'INVALID_SIGNATURE',
    })
    expect(await operation.send(await prove(house.emailSession.key, next))).toMatchObject({ status: 200 })
  })

  it('a signature for one request is invalid for any other', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['wallet privacy'](house)
    const [one, other] = [expectStatus(await operation.send(), 202), expectStatus(await operation.send(), 202)]
    const rowOf = ({ body }: Answer) => ({ id: bare(String(body.requestId)) })
    const { sealed } = await db.signedRequest.findFirstOrThrow({ where: rowOf(one) })
    await db.signedRequest.updateMany({ where: rowOf(other), data: { sealed } })
    const { signature } = await prove(house.emailSession.key, one)
    const { requestId } = await prove(house.emailSession.key, other)
    expect(await operation.send({ requestId, signature })).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
  })

  it('a registration that an earlier release prepared in another form has expired', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const input = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: identityToken(newIdentity()) }
    const challenge = expectStatus(await face.register(platform, input), 202)
    const where = { id: bare(String(challenge.body.requestId)) }
    const { id, sealed } = await db.signedRequest.findFirstOrThrow({ where })
    const owner = `request ${platform.id} ${id}`
    const content = JSON.parse(openSecret(sealed ?? new Uint8Array(), owner).toString('utf8'))
    const { facts, ...draft } = content.data.draft
    const earlier = { ...content, data: { ...content.data, draft: { ...draft, ...facts } } }
    await db.signedRequest.updateMany({ where, data: { sealed: sealSecret(JSON.stringify(earlier), owner) } })
    expect(await face.register(platform, input, await prove(emailSession.key, challenge))).toMatchObject({
      status: 401,
      code: 'INVALID_SIGNATURE',
      details: { reason: 'REQUEST_ID_EXPIRED' },
    })
  })

  it('only a wallet of the platform gets a pending request', async () => {
    const { wallet } = await createHousehold(face, platform)
    const other = await createPlatform()
    const { id } = await createInternalAccount(platform)
    const send = (caller: Platform, accountId: string) =>
      face.updatePrivacy(caller, accountId, { privateEnabled: true })
    expect(await send(other, wallet.accountId)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    expect(await send(platform, `InternalAccount:${id}`)).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const accountId = { in: [bare(wallet.accountId), id] }
    expect(await db.signedRequest.count({ where: { accountId, operation: 'UPDATE_WALLET_PRIVACY' } })).toBe(0)
    expectStatus(await send(platform, wallet.accountId), 202)
    expect(await db.signedRequest.count({ where: { accountId, operation: 'UPDATE_WALLET_PRIVACY' } })).toBe(1)
  })

  it('twenty of forty requests started at once remain pending', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['wallet privacy'](house)
    const begun = await Promise.all(Array.from({ length: 40 }, () => operation.send()))
    for (const answer of begun) expectStatus(answer, 202)
    const where = { id: { in: begun.map(({ body }) => bare(String(body.requestId))) }, consumedAt: null }
    expect(await db.signedRequest.count({ where })).toBe(20)
  })

  it('used or expired requests, and those of other accounts, do not count towards the twenty', async () => {
    const house = await createHousehold(face, platform)
    const neighbour = await createHousehold(face, platform)
    const [operation, elsewhere] = await Promise.all([house, neighbour].map(OPERATIONS['wallet privacy']))
    if (!operation || !elsewhere) throw new Error('No operation')
    const begin = async () => expectStatus(await operation.send(), 202)
    const finish = async (challenge: Answer) => operation.send(await prove(house.emailSession.key, challenge))
    const first = await begin()
    for (let count = 0; count < 3; count += 1) expectStatus(await finish(await begin()), 200)
    const { count } = await db.signedRequest.updateMany({
      where: { id: { in: [await begin(), await begin()].map(({ body }) => bare(String(body.requestId))) } },
      data: { expiresAt: new Date(0) },
    })
    expect(count).toBe(2)
    for (let count = 0; count < 19; count += 1) await begin()
    for (let count = 0; count < 20; count += 1) expectStatus(await elsewhere.send(), 202)
    expectStatus(await finish(first), 200)
  })
})

describe('first calls at once', () => {
  const face = credentialFaces.find(({ name }) => name === 'REST')
  if (!face) throw new Error('No face')
  const walletsOf = async (platform: Platform, count: number) =>
    Promise.all(Array.from({ length: count }, () => createHousehold(face, platform)))

  it('of several wallets of a platform are stored in a few transactions', async () => {
    const platform = await createPlatform()
    const operations = await Promise.all((await walletsOf(platform, 4)).map(OPERATIONS['wallet privacy']))
    const calls = Array.from({ length: 5 }, () => operations).flat()
    let answers: Answer[] = []
    const statements = await statementsOf(async () => {
      const sent = await db.$transaction(async (tx) => {
        await tx.$executeRaw`lock table signed_requests in share mode`
        const all = Promise.all(calls.map(({ send }) => send()))
        while ((await waiting('signed_requests')) === 0) await wait(5)
        // Meanwhile the others join the queue.
        await wait(300)
        return [all]
      })
      answers = (await sent[0]) ?? []
    })
    const requests = answers.map((answer) => expectStatus(answer, 202).body)
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(20)
    const stored = await db.signedRequest.findMany({
      where: { id: { in: requests.map((one) => bare(String(one.requestId))) } },
    })
    expect(stored.map(({ expiresAt }) => expiresAt.toISOString()).toSorted()).toEqual(
      requests.map((one) => String(one.expiresAt)).toSorted(),
    )
    expect(statements.filter((text) => /insert into signed_requests/.test(text)).length).toBeLessThanOrEqual(
      calls.length / 2,
    )
  })

  it('do not wait for a locked wallet of another customer', async () => {
    const platform = await createPlatform()
    const [locked, free] = await walletsOf(platform, 2)
    if (!locked || !free) throw new Error('No wallet')
    const blocked = await OPERATIONS['wallet privacy'](locked)
    const open = await OPERATIONS['wallet privacy'](free)
    const order: string[] = []
    const sent = await db.$transaction(async (tx) => {
      await tx.$queryRaw`
        select from internal_accounts where platform_id = ${platform.id}::uuid and id = ${bare(locked.wallet.accountId)}::uuid for no key update`
      const waits = blocked.send().finally(() => order.push('locked'))
      for (let count = 0; count < 3; count += 1) expectStatus(await open.send(), 202)
      order.push('free')
      return [waits]
    })
    expectStatus(await (sent[0] as Promise<Answer>), 202)
    expect(order).toEqual(['free', 'locked'])
  })
})

it('requests that expired a day ago are deleted, and later ones are kept', async () => {
  const platform = await createPlatform()
  const [face] = credentialFaces
  if (!face) throw new Error('No face')
  const house = await createHousehold(face, platform)
  const operation = await OPERATIONS['wallet privacy'](house)
  const hour = 3_600_000
  const ids: string[] = []
  for (const age of [-hour / 60, hour, 23 * hour, 25 * hour]) {
    const id = bare(String(expectStatus(await operation.send(), 202).body.requestId))
    await db.signedRequest.updateMany({ where: { id }, data: { expiresAt: new Date(Date.now() - age) } })
    ids.push(id)
  }
  await forgetExpired()
  const left = await db.signedRequest.findMany({ where: { id: { in: ids } }, select: { id: true } })
  expect(left.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 3).toSorted())
})
