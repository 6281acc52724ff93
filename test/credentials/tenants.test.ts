// Data of another platform is as unknown as data that does not exist: for every operation, with and without a proof, over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Answer,
  type CredentialFace,
  credentialFaces,
  type Proof,
} from '#test/setup/credentials/credential-faces.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import {
  createHousehold,
  type Household,
  OPERATION_NAMES,
  OPERATIONS,
  type Ready,
} from '#test/setup/credentials/wallet-operations.ts'
import {
  addOauth,
  addPasskey,
  bornWith,
  expectStatus,
  oauthProof,
  otpProof,
  passkeyChallenge,
  passkeyRegistration,
  prove,
} from '#test/setup/credentials/wallet-sessions.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

const KINDS = ['AuthMethod', 'Session', 'InternalAccount', 'Customer'] as const
type Kind = (typeof KINDS)[number]

/** Calls the operation with an id and with the valid proof of the household that owns it. */
interface Try {
  readonly verb: string
  readonly kind: Kind
  readonly id: (house: Household) => string
  readonly ask: (face: CredentialFace, caller: Platform, id: string, owner: Household) => Promise<Answer>
  /** Whether it returns an empty list rather than an error. */
  readonly isList?: boolean
}

const key = () => ({ clientPublicKey: newKey().publicKey })
const account = ({ wallet }: Household) => wallet.accountId
const email = (house: Household) => house.email.id
const oauth = (house: Household) => house.oauth.id
const session = ({ oauthSession }: Household) => oauthSession.id

const TRIES: readonly Try[] = [
  ...(['SMS_OTP', 'EMAIL_OTP'] as const).map(
    (type): Try => ({
      verb: `register ${type}`,
      kind: 'InternalAccount',
      id: account,
      ask: (face, caller, accountId) => face.register(caller, { type, accountId }),
    }),
  ),
  {
    verb: 'register OAUTH',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, accountId) =>
      face.register(caller, { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) }),
  },
  {
    verb: 'register PASSKEY',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, accountId, { wallet }) =>
      face.register(caller, { ...passkeyRegistration(wallet, softwareAuthenticator()), accountId }),
  },
  { verb: 'challenge EMAIL_OTP', kind: 'AuthMethod', id: email, ask: (face, caller, id) => face.challenge(caller, id) },
  {
    verb: 'challenge OAUTH',
    kind: 'AuthMethod',
    id: oauth,
    ask: (face, caller, id) => face.challenge(caller, id, key()),
  },
  {
    verb: 'verify EMAIL_OTP',
    kind: 'AuthMethod',
    id: email,
    ask: async (face, caller, id, owner) => face.verify(caller, id, await otpProof(face, owner.wallet, owner.email)),
  },
  {
    verb: 'verify OAUTH',
    kind: 'AuthMethod',
    id: oauth,
    ask: (face, caller, id, owner) =>
      face.verify(caller, id, oauthProof(owner.oauth.identity ?? newIdentity(), newKey())),
  },
  { verb: 'revoke', kind: 'AuthMethod', id: oauth, ask: (face, caller, id) => face.revoke(caller, id) },
  { verb: 'refresh', kind: 'Session', id: session, ask: (face, caller, id) => face.refresh(caller, id, key()) },
  { verb: 'revoke session', kind: 'Session', id: session, ask: (face, caller, id) => face.revokeSession(caller, id) },
  {
    verb: 'list credentials',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, id) => face.listCredentials(caller, id),
    isList: true,
  },
  {
    verb: 'list sessions',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, id) => face.listSessions(caller, id),
    isList: true,
  },
  {
    verb: 'export',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, id) => face.exportWallet(caller, id, key()),
  },
  {
    verb: 'privacy',
    kind: 'InternalAccount',
    id: account,
    ask: (face, caller, id) => face.updatePrivacy(caller, id, { privateEnabled: true }),
  },
  {
    verb: 'contact',
    kind: 'Customer',
    id: ({ wallet }) => wallet.customerId,
    ask: (face, caller, id) => face.updateCustomer(caller, id, { email: 'new@mail.example' }),
  },
]

const total = { tried: 0, distinguishable: 0, changed: 0 }

/** All stored rows of the platform's credentials. */
const stateOf = async ({ id: platformId }: Platform) =>
  JSON.stringify(
    [
      await db.authMethod.findMany({ where: { platformId }, orderBy: { id: 'asc' } }),
      await db.walletSession.findMany({ where: { platformId }, orderBy: { id: 'asc' } }),
      await db.signedRequest.findMany({ where: { platformId }, orderBy: { id: 'asc' } }),
      await db.customer.findMany({ where: { platformId }, orderBy: { id: 'asc' } }),
    ],
    (_name, value) => (typeof value === 'bigint' ? String(value) : value),
  )

const expectSame = (foreign: Answer, unknown: Answer) => {
  total.tried += 1
  if (JSON.stringify(foreign) !== JSON.stringify(unknown)) total.distinguishable += 1
  expect(foreign).toEqual(unknown)
}

describe.each(credentialFaces)('over $name', (face) => {
  let ours: Platform
  let theirs: Household
  beforeAll(async () => {
    ours = await createPlatform()
    await createHousehold(face, ours)
    theirs = await createHousehold(face, await createPlatform())
  })

  it.each(TRIES)('$verb', async ({ kind, id, ask, isList }) => {
    const own = await createHousehold(face, ours)
    const before = await stateOf(theirs.platform)
    const unknown = await ask(face, ours, `${kind}:${randomUUID()}`, own)
    const foreign = await ask(face, ours, id(theirs), own)
    expectSame(foreign, unknown)
    if (isList) expect(foreign).toMatchObject({ status: 200, body: { data: [] } })
    else expect(foreign.status).toBe(404)
    // The request is meaningful: the owner gets a different answer.
    expect(await ask(face, own.platform, id(own), own)).not.toEqual(unknown)
    if ((await stateOf(theirs.platform)) !== before) total.changed += 1
    expect(await stateOf(theirs.platform)).toBe(before)
  })

  it.each(OPERATION_NAMES)("the second leg of %s, with the owner's request and stamp", async (name) => {
    const operation: Ready = await OPERATIONS[name](theirs)
    const proof = await prove(operation.key, expectStatus(await operation.send(), 202))
    const unknownRequest: Proof = { ...proof, requestId: `Request:${randomUUID()}` }
    const before = await stateOf(theirs.platform)
    const unknown = await operation.send(unknownRequest, { caller: ours })
    expectSame(await operation.send(proof, { caller: ours }), unknown)
    expect(unknown).toMatchObject({ status: 401, code: 'INVALID_SIGNATURE' })
    expect(await stateOf(theirs.platform)).toBe(before)
  })

  it("verification of a passkey, with the owner's assertion", async () => {
    const { wallet, emailSession } = theirs
    const passkey = await addPasskey(face, wallet, emailSession)
    const { body } = await passkeyChallenge(face, wallet, passkey.id)
    const input = { type: 'PASSKEY', assertion: passkey.authenticator.get(body.challenge) }
    const proof = { requestId: body.requestId }
    const before = await stateOf(theirs.platform)
    const unknown = await face.verify(ours, `AuthMethod:${randomUUID()}`, input, proof)
    expectSame(await face.verify(ours, passkey.id, input, proof), unknown)
    // Nor does our own credential accept the request.
    const own = await createHousehold(face, ours)
    const mine = await addPasskey(face, own.wallet, own.emailSession)
    const send = (requestId: string) => {
      const assertion = mine.authenticator.get(body.challenge, { counter: 1 })
      return face.verify(ours, mine.id, { type: 'PASSKEY', assertion }, { requestId })
    }
    expectSame(await send(body.requestId), await send(`Request:${randomUUID()}`))
    expect(await stateOf(theirs.platform)).toBe(before)
    expect(await face.verify(theirs.platform, passkey.id, input, proof)).toMatchObject({ status: 200 })
  })

  it('an identity token used on one platform is still usable on another', async () => {
    const identity = newIdentity()
    const input = oauthProof(identity, newKey())
    for (const platform of [ours, theirs.platform]) {
      const wallet = await createWallet(platform)
      const { id } = await addOauth(face, wallet, await bornWith(face, wallet).open(), identity)
      expectStatus(await face.verify(platform, id, input), 200)
      expectStatus(await face.verify(platform, id, input), 401)
    }
  })

  it("another customer's account gives no access to a credential or session on the same platform", async () => {
    const [one, other] = [await createHousehold(face, ours), await createHousehold(face, ours)]
    for (const list of [face.listCredentials, face.listSessions]) {
      const { body } = await list(ours, one.wallet.accountId)
      expect(JSON.stringify(body)).not.toContain(other.wallet.accountId)
      expect(new Set(body.data.map(({ accountId }) => accountId))).toEqual(new Set([one.wallet.accountId]))
    }
  })
})

describe('GraphQL', () => {
  const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } nodes(ids: [$id]) { __typename id } }'
  const OF_ACCOUNT = `query ($id: ID!) {
    node(id: $id) { ... on InternalAccount { authMethods { nodes { id } } sessions { nodes { id } } } }
    authMethods(filter: { accountId: $id }) { nodes { id } }
  }`

  it('node returns null for a credential or session of another platform, as for an unknown id', async () => {
    const [face] = credentialFaces
    if (!face) throw new Error('no GraphQL')
    const [ours, theirs] = [await createPlatform(), await createHousehold(face, await createPlatform())]
    const uuid = randomUUID()
    for (const id of [theirs.email.id, theirs.oauth.id, theirs.emailSession.id, theirs.oauthSession.id]) {
      const unknown = `${id.split(':')[0]}:${uuid}`
      const [foreign, nobodys] = [await ask(ours, NODE, { id }), await ask(ours, NODE, { id: unknown })]
      expect(foreign.data).toEqual({ node: null, nodes: [null] })
      expect(foreign.data).toEqual(nobodys.data)
      const owned = await ask<{ node: { id: string } }, object>(theirs.platform, NODE, { id })
      expect(owned.data.node.id).toBe(id)
      total.tried += 1
    }
    const { data } = await ask(ours, OF_ACCOUNT, { id: theirs.wallet.accountId })
    expect(data).toEqual({ node: null, authMethods: { nodes: [] } })
  })

  it('a token without VIEW reads no credentials or sessions', async () => {
    const platform = await createPlatform(['TRANSACT'])
    for (const face of credentialFaces) {
      for (const list of [face.listCredentials, face.listSessions]) {
        expect(await list(platform, `InternalAccount:${randomUUID()}`)).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
        })
      }
    }
  })
})

it('enough ids were tried', () => {
  const { tried, distinguishable, changed } = total
  console.log(`ids of another platform tried ${tried}, distinguishable ${distinguishable}, changed ${changed}`)
  expect({ distinguishable, changed }).toEqual({ distinguishable: 0, changed: 0 })
})
