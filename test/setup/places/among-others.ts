// An agent on a platform of mirrored groups: some data is its own, some is its customer's, and some belongs to others.

import { type Kind, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { connect } from '#test/setup/agents/agent-faces.ts'
import {
  createAgent,
  createAgentActions,
  createInternalAccount,
  createPlatform,
  createQuote,
} from '#test/setup/world.ts'
import { type Names, NODES, populate } from './mirrored-platforms.ts'

/** Nodes that agents see none of, not even their customer's. */
export const HIDDEN: readonly Kind[] = ['ScaChallenge']
/** Kinds that are always 403 to agents. */
export const REFUSED: readonly Kind[] = [
  'AuthMethod',
  'Session',
  'WebhookDelivery',
  'Token',
  'TwoFactorReset',
  'DelegatedKey',
  'BeneficialOwner',
  'Document',
  'Verification',
  'BulkJob',
  'StablecoinProviderAccount',
  'Stablecoin',
  'StablecoinQuote',
  'StablecoinOperation',
  'Invitation',
  'UmaProvider',
]

export const createAmongOthers = async () => {
  const platform = await createPlatform()
  const names = await populate(platform, 'group')
  const share = (first: boolean) =>
    Object.fromEntries(
      Object.entries(names).map(([name, all]) => {
        const count = name === 'Transaction' ? 3 : 1
        return [name, name === 'PlatformConfig' ? all : first ? all.slice(0, count) : all.slice(count)]
      }),
    ) as Names
  const [own, foreign] = [share(true), share(false)]
  const idOf = (kind: Kind & keyof Names) => uuidOf(own[kind][0] ?? '')
  const agent = await connect(platform, idOf('Agent'))
  const place = { platformId_id: { platformId: platform.id, id: idOf('Quote') } }
  await db.quote.update({ where: place, data: { agentId: idOf('Agent') } })
  // Of the same customer, but another agent's or no agent's.
  const customerId = idOf('Customer')
  const colleague = await createAgent(platform, { customerId })
  const quotes = [
    await createQuote(platform, { customerId, agentId: colleague.id }),
    await createQuote(platform, { customerId }),
  ]
  const party = { internalAccountId: idOf('InternalAccount'), externalAccountId: idOf('ExternalAccount') }
  const actions = await createAgentActions(platform, [{ ...party, customerId, agentId: colleague.id }])
  const account = await createInternalAccount(platform)
  foreign.Agent.unshift(publicId('Agent', colleague.id))
  foreign.Quote.unshift(...quotes.map((quote) => publicId('Quote', quote.id)))
  foreign.AgentAction.unshift(...actions.map((action) => publicId('AgentAction', action.id)))
  foreign.InternalAccount.unshift(publicId('InternalAccount', account.id))
  const ids: ReadonlySet<string> = new Set(NODES.flatMap((kind) => foreign[kind]).map(uuidOf))
  return {
    platform,
    agent,
    own,
    foreign,
    /** Foreign UUIDs in a response, except the one in the request. */
    leaksIn: (text: string, but = '') =>
      [...text.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].filter(([id]) => ids.has(id) && id !== uuidOf(but)),
  }
}
export type AmongOthers = Awaited<ReturnType<typeof createAmongOthers>>
