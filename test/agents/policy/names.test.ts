// A policy is written under the names that it is read under.
import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql'
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { ask } from '#test/setup/faces.ts'
import { createAgent, createCustomer, createInternalAccount, createPlatform } from '#test/setup/world.ts'

const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'))

const namesOf = (type: GraphQLInputObjectType | GraphQLObjectType): string[] =>
  Object.values<{ name: string; type: unknown; deprecationReason?: string | null | undefined }>(type.getFields())
    .filter(({ deprecationReason }) => !deprecationReason)
    .map(({ name }) => name)

it.each([
  ['AgentPolicyInput', 'AgentPolicy'],
  ['AgentPolicyChangesInput', 'AgentPolicy'],
])('every field of %s is one of %s, and so below', (written, read) => {
  const compare = (input: GraphQLInputObjectType, output: GraphQLObjectType) => {
    // Amounts are read as numbers, like they are written, and also as money with their currency.
    const readNames = namesOf(output).filter((name) => !name.endsWith('Money'))
    expect({ type: input.name, names: namesOf(input).toSorted() }).toEqual({
      type: input.name,
      names: readNames.toSorted(),
    })
    for (const field of Object.values(input.getFields())) {
      const below = getNamedType(field.type)
      const readBelow = output.getFields()[field.name]
      if (isInputObjectType(below) && readBelow) compare(below, getNamedType(readBelow.type) as GraphQLObjectType)
    }
  }
  compare(schema.getType(written) as GraphQLInputObjectType, schema.getType(read) as GraphQLObjectType)
})

const POLICY = `policy {
  permissions defaultExecutionMode
  spendingLimits { currencyCode perTransactionLimit dailyLimit dailyTransactionLimit monthlyLimit }
  accountRestrictions { allowedAccountIds accountRules { accountId executionMode perTransactionLimit } }
  approvalThresholds { currencyCode amount }
}`
const WRITE = `mutation ($input: UpdateAgentPolicyInput!) { updateAgentPolicy(input: $input) {
  __typename
  ... on UpdateAgentPolicySuccess { agent { ${POLICY} } }
  ... on ApiError { code details { field } }
} }`

interface Written {
  readonly updateAgentPolicy: { readonly agent?: { readonly policy: object } }
}

const createRestricted = async () => {
  const platform = await createPlatform()
  const { id: customerId } = await createCustomer(platform)
  const account = await createInternalAccount(platform, { customerId })
  const { id } = await createAgent(platform, {
    customerId,
    dailyLimit: 500_000n,
    approvalThresholdCurrency: 'EUR',
    approvalThresholdAmount: 5_000n,
    allowedAccountIds: [account.id],
    accountRules: [{ accountId: account.id, executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 700 }],
  })
  return { platform, agent: publicId('Agent', id), account: publicId('InternalAccount', account.id) }
}

it('a policy can be written back as it was read', async () => {
  const { platform, agent, account } = await createRestricted()
  const read = await ask<{ node: { policy: object } }, object>(
    platform,
    `query ($id: ID!) { node(id: $id) { ... on Agent { ${POLICY} } } }`,
    { id: agent },
  )
  const { policy } = read.data.node
  expect(policy).toMatchObject({
    spendingLimits: { currencyCode: 'USD', perTransactionLimit: 100_000, dailyLimit: 500_000, monthlyLimit: null },
    accountRestrictions: {
      allowedAccountIds: [account],
      accountRules: [{ accountId: account, executionMode: 'APPROVAL_REQUIRED', perTransactionLimit: 700 }],
    },
    approvalThresholds: { currencyCode: 'EUR', amount: 5_000 },
  })
  const written = await ask<Written, object>(platform, WRITE, { input: { id: agent, policy } })
  expect(written.data.updateAgentPolicy.agent).toEqual({ policy })
})

it('limits, usage and thresholds are also given as money', async () => {
  const { platform, agent } = await createRestricted()
  const { data, errors } = await ask<{ node: object }, object>(
    platform,
    `query ($id: ID!) { node(id: $id) { ... on Agent {
      policy {
        spendingLimits { perTransactionLimitMoney { formatted } dailyLimitMoney { formatted } monthlyLimitMoney { formatted } }
        accountRestrictions { accountRules { perTransactionLimitMoney { formatted } } }
        approvalThresholds { amountMoney { formatted } }
      }
      usage { dailySpendMoney { formatted } monthlySpendMoney { formatted } }
    } } }`,
    { id: agent },
  )
  expect({ data, errors }).toEqual({
    errors: undefined,
    data: {
      node: {
        policy: {
          spendingLimits: {
            perTransactionLimitMoney: { formatted: '$1,000.00' },
            dailyLimitMoney: { formatted: '$5,000.00' },
            monthlyLimitMoney: null,
          },
          accountRestrictions: { accountRules: [{ perTransactionLimitMoney: { formatted: '$7.00' } }] },
          approvalThresholds: { amountMoney: { formatted: '€50.00' } },
        },
        usage: { dailySpendMoney: { formatted: '$0.00' }, monthlySpendMoney: { formatted: '$0.00' } },
      },
    },
  })
})

it('the former name of the currency is still accepted, and an error uses the name that was sent', async () => {
  const { platform, agent } = await createRestricted()
  const write = async (policy: object) =>
    (await ask<Written, object>(platform, WRITE, { input: { id: agent, policy } })).data.updateAgentPolicy
  const spendingLimits = { currencyCode: 'GBP' }
  expect(await write({ spendingLimits: { currency: 'GBP' } })).toMatchObject({ agent: { policy: { spendingLimits } } })
  for (const name of ['currency', 'currencyCode']) {
    expect(await write({ spendingLimits: { [name]: 'QQQ' } })).toMatchObject({
      code: 'INVALID_CURRENCY',
      details: { field: `input.policy.spendingLimits.${name}` },
    })
  }
})
