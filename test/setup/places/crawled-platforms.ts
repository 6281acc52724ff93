// Mirrored platforms with everything that an id or a string can identify, for a crawl.
import { randomBytes, randomUUID } from 'node:crypto'
import { issueDeviceCode } from '#agents/access/device-code.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { type Authorization, callGraphQL, connect } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createUpload, expectUpload } from '#test/setup/verification/rows.ts'
import { createExternalAccount, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'
import { type Name, type Names, NODES, populate, UNKNOWN } from './mirrored-platforms.ts'
import { everythingOf, linkedFields, queries, questionOf, typeOf } from './schema-queries.ts'

/** `Wallet` is an InternalAccount, with the AuthMethod of the same group; `PlatformAccount` an ExternalAccount of the platform's own. */
export type CrawledName = Name | 'Wallet' | 'PlatformAccount' | 'Request' | 'deviceCode' | 'Upload' | 'uploadToken'
export type CrawledNames = Record<CrawledName, string[]>

export const UNKNOWN_NAMES: Record<CrawledName, () => string> = {
  ...UNKNOWN,
  Wallet: UNKNOWN.InternalAccount,
  PlatformAccount: UNKNOWN.ExternalAccount,
  Request: () => publicId('Request', randomUUID()),
  deviceCode: () => 'SERVICE-AGENT-ABCD-2345',
  Upload: () => publicId('Upload', randomUUID()),
  uploadToken: () => randomBytes(64).toString('base64url'),
}

export const CRAWLED_NAMES = Object.keys(UNKNOWN_NAMES) as CrawledName[]

export interface Crawled {
  readonly platform: Platform
  readonly names: CrawledNames
  /** One object of each group. */
  readonly agents: readonly Authorization[]
}

export const createCrawled = async (prefix: string): Promise<Crawled> => {
  const platform = await createPlatform()
  const names = await populate(platform, prefix)
  const groups = await Promise.all(names.Customer.map((_customer, index) => furnish(platform, names, index)))
  const cursor = await cursorsOf(platform, names)
  return {
    platform,
    names: {
      ...names,
      AuthMethod: groups.map(({ credential }) => credential),
      Wallet: groups.map(({ wallet }) => wallet),
      PlatformAccount: groups.map(({ platformAccount }) => platformAccount),
      Request: groups.map(({ request }) => request),
      deviceCode: groups.map(({ code }) => code),
      Upload: groups.map(({ upload }) => upload),
      uploadToken: groups.map(({ uploadToken }) => uploadToken),
      cursor,
    },
    agents: groups.map(({ agent }) => agent),
  }
}

/** A wallet with a pending request, an agent that has a quote, an action with its transaction, and a device code. */
const furnish = async (platform: Platform, names: Names, index: number) => {
  const platformId = platform.id
  const of = (name: Name, at = index) => uuidOf(names[name][at] ?? '')
  const place = (id: string) => ({ platformId_id: { platformId, id } })
  const wallet = await createWallet(platform, {
    customerId: of('Customer'),
    email: `${names.platformCustomerId[index]}@mail.example`,
  })
  const id = randomUUID()
  const operation = {
    operation: 'EXPORT_WALLET',
    target: wallet.accountId,
    fingerprint: new Uint8Array(32),
    sealed: new Uint8Array(32),
  } as const
  const expiresAt = new Date(Date.now() + 300_000)
  await db.signedRequest.create({
    data: { platformId, id, accountId: uuidOf(wallet.accountId), ...operation, expiresAt },
  })
  await db.quote.update({ where: place(of('Quote')), data: { agentId: of('Agent') } })
  const transactionId = of('Transaction', index * (names.Transaction.length / names.Customer.length))
  await db.agent.update({ where: place(of('Agent')), data: { permissions: [...AGENT_PERMISSIONS] } })
  await db.agentAction.update({ where: place(of('AgentAction')), data: { transactionId } })
  const platformAccount = await createExternalAccount(platform)
  const { code } = await inTransaction((tx) => issueDeviceCode(tx, platformId, of('Agent')))
  const upload = await createUpload(platform)
  const { url } = await expectUpload(platform)
  return {
    upload: publicId('Upload', upload.id),
    uploadToken: url.slice(url.lastIndexOf('/') + 1),
    wallet: wallet.accountId,
    platformAccount: publicId('ExternalAccount', platformAccount.id),
    credential: wallet.credentialId,
    request: publicId('Request', id),
    code,
    agent: await connect(platform, of('Agent')),
  }
}

/** The name under which nodes of each type are found, and which of a group's they are. */
export const namesOfTypes = async (platform: Platform, names: Names) => {
  const found = new Map<string, { readonly name: Name; readonly at: number }>()
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }'
  for (const name of NODES) {
    const ids = names[name].slice(0, names[name].length / names.Customer.length)
    const { body } = await callGraphQL(basic(platform), query, { ids })
    for (const [at, { __typename }] of body.data.nodes.entries())
      if (!found.has(__typename)) found.set(__typename, { name, at })
  }
  return found
}

const CURSORS = /[cC]ursor":"([^"]+)"/g

/** A cursor of every list that has items. */
const cursorsOf = async (platform: Platform, names: Names): Promise<string[]> => {
  const lists = queries().filter((field) => field.args.some(({ name }) => name === 'after'))
  const linked = linkedFields().filter(({ field }) => field.args.some(({ name }) => name === 'after'))
  const nameOf = await namesOfTypes(platform, names)
  const questions = [
    ...lists.map((field) => questionOf('query', field, everythingOf(typeOf(field), 1))),
    ...linked.map(({ field, node, ask }) => {
      const own = node === null ? null : nameOf.get(node)
      if (own === undefined) throw new Error(`No platform has a ${node}`)
      return ask(own && (names[own.name][own.at] ?? null), ['first'], 3, everythingOf(typeOf(field), 1))
    }),
  ]
  const found = new Set<string>()
  for (const { query, variables } of questions) {
    const { text } = await callGraphQL(basic(platform), query, variables)
    for (const [, cursor = ''] of text.matchAll(CURSORS)) found.add(cursor)
  }
  return [...found]
}
