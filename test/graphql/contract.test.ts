// Every change of the schema that can break a document or a typed client is listed as a decision, with its reason.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { CriticalityLevel, diff } from '@graphql-inspector/core'
import { expect, it } from 'vitest'

// The copy of the library that the inspector uses.
const { buildSchema } = createRequire(import.meta.url)('graphql') as typeof import('graphql')
const schemaOf = (path: string) => buildSchema(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** The first schema that clients were given, and the last one, which a release replaces: `npx tsx dev/print-schema.ts --release`. */
const CONTRACTS = { first: './contract-before.graphql', last: './contract-published.graphql' } as const
const after = schemaOf('../../src/graphql/schema.graphql')

/** Each break by its message, under its reason. Add to the list only what no deprecation can do. */
const BREAKS: Readonly<Record<string, readonly string[]>> = {
  'Every account type has a type of its own; `fields` of `AccountOrWalletInfo` lists the fields of any type as text.': [
    "Type 'OtherAccountInfo' was removed",
  ],
  'Relay spreads a fragment on `TransactionNode` into an item without an alias. Documents with fragments on the union stay valid.':
    [
      "Field 'TransactionConnection.nodes' changed type from '[Transaction!]!' to '[TransactionNode!]!'",
      "Field 'TransactionEdge.node' changed type from 'Transaction!' to 'TransactionNode!'",
    ],
  'Every list has pages, and is narrowed by a filter.': [
    "Argument 'accountId: ID!' was removed from field 'Query.authMethods'",
    "Field 'Customer.agents' changed type from '[Agent!]' to 'AgentConnection'",
    "Field 'Customer.cards' changed type from '[Card!]' to 'CardConnection'",
    "Field 'Customer.externalAccounts' changed type from '[ExternalAccount!]' to 'ExternalAccountConnection'",
    "Field 'Customer.internalAccounts' changed type from '[InternalAccount!]' to 'InternalAccountConnection'",
    "Field 'InternalAccount.authMethods' changed type from '[AuthMethod!]' to 'AuthMethodConnection'",
    "Field 'InternalAccount.cards' changed type from '[Card!]' to 'CardConnection'",
    "Field 'InternalAccount.sessions' changed type from '[Session!]' to 'SessionConnection'",
    "Field 'Query.authMethods' changed type from '[AuthMethod!]' to 'AuthMethodConnection'",
  ],
  'A login is authorized by a challenge too, and it is no payment.': [
    "Field 'ScaChallenge.purpose' changed type from 'String!' to 'String'",
  ],
  'An incoming payment that the platform decides has no agent.': [
    "Field 'TransactionDecisionSuccess.agentAction' changed type from 'AgentAction!' to 'AgentAction'",
  ],
}

const breaksSince = async (contract: keyof typeof CONTRACTS): Promise<string[]> => {
  const changes = await diff(schemaOf(CONTRACTS[contract]), after)
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
  console.log(`${changes.length} changes since the ${contract} contract, ${breaking.length} of them breaking`)
  return breaking.map(({ message }) => message)
}

const decided = Object.values(BREAKS).flat()

it('breaks nothing of the first contract except what was decided', async () => {
  expect((await breaksSince('first')).toSorted()).toEqual(decided.toSorted())
})

it('breaks nothing of the last contract except what was decided', async () => {
  expect((await breaksSince('last')).filter((message) => !decided.includes(message))).toEqual([])
})
