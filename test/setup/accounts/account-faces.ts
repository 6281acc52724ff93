// External accounts over both faces. Inputs and answers have the shape of REST in either case.
import type { AccountType } from '#accounts/account-info.ts'
import type { AccountFamily } from '#accounts/types/rule.ts'
import { ACCOUNT_TYPE_RULES } from '#accounts/types/table.ts'
import { type Authorization, callGraphQL, callRest, type Reply } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'

export type Input = Readonly<Record<string, unknown>>

const FAMILIES: Readonly<Record<AccountFamily, string>> = {
  BANK: 'bankAccount',
  MOBILE_MONEY: 'mobileMoneyAccount',
  WALLET: 'wallet',
}

const camel = (label: string) =>
  label.toLowerCase().replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase())

/** `accountInfo` of REST as GraphQL takes it. */
export const accountInfoInput = ({ accountType, beneficiary, ...fields }: Input): Input => {
  const { family } = ACCOUNT_TYPE_RULES[accountType as AccountType]
  const accountInfo = { [FAMILIES[family]]: { [camel(String(accountType))]: fields } }
  if (!beneficiary) return { accountInfo }
  const { beneficiaryType, ...holder } = beneficiary as Input
  return { accountInfo, beneficiary: { [String(beneficiaryType).toLowerCase()]: holder } }
}

const FAILURE = `__typename ... on ApiError { status code message details { reason field other constraint { format pattern enum minLength maxLength } } }`

const FIELDS = `id customerId externalStatus currency { code } platformAccountId defaultUmaDepositAccount ownershipType
  beneficiaryVerificationStatus beneficiaryVerifiedData { fullName } accountInfo { accountType fields { key value } }`

const withoutNulls = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_key, member: unknown) => member ?? undefined))

/** The path that REST has for a field of the GraphQL input. */
const restField = (field: string) =>
  field
    .replace(/^input\./, '')
    .replace(/^accountInfo\.\w+\.\w+/, 'accountInfo')
    .replace(/^beneficiary(?:\.(?:individual|business))?/, 'accountInfo.beneficiary')

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
  readonly body: any
}

const failureOf = ({ status, code, message, details }: Answer['body']): Answer => {
  const { field, other, ...others } = withoutNulls(details ?? {})
  const all = { ...others, ...other, ...(field && { field: restField(field) }) }
  return { status, body: { status, code, message, details: all } }
}

/** The failure or the success of a mutation. Errors beside the data are failures too. */
const answerOf = ({ body }: Reply, success: (payload: Answer['body']) => Answer): Answer => {
  if (body.errors) {
    const [{ message, extensions }] = body.errors
    return failureOf({ ...extensions, message })
  }
  const [payload] = Object.values(body.data) as Answer['body'][]
  return payload.status === undefined ? success(payload) : failureOf(payload)
}

const accountBody = ({ externalStatus, currency, accountInfo, ...account }: Answer['body']) =>
  withoutNulls({
    ...account,
    status: externalStatus,
    currency: currency.code,
    accountInfo: {
      accountType: accountInfo.accountType,
      ...Object.fromEntries(
        accountInfo.fields.map(({ key, value }: { key: string; value: string }) => [
          key,
          /^[[{]/.test(value) ? JSON.parse(value) : value,
        ]),
      ),
    },
  })

const as = (caller: Credentials | Authorization): Authorization =>
  caller === null || typeof caller === 'string' ? caller : basic(caller)

const graphql = {
  name: 'GraphQL',
  create: async (caller: Credentials | Authorization, { accountInfo, ...input }: Input): Promise<Answer> =>
    answerOf(
      await callGraphQL(
        as(caller),
        `mutation ($input: CreateExternalAccountInput!) {
          createExternalAccount(input: $input) { ... on CreateExternalAccountSuccess { externalAccount { ${FIELDS} } } ${FAILURE} }
        }`,
        { input: { ...input, ...accountInfoInput(accountInfo as Input) } },
      ),
      ({ externalAccount }) => ({ status: 201, body: accountBody(externalAccount) }),
    ),
  delete: async (caller: Credentials | Authorization, id: string): Promise<Answer> =>
    answerOf(
      await callGraphQL(
        as(caller),
        `mutation ($input: DeleteExternalAccountInput!) {
          deleteExternalAccount(input: $input) { ... on DeleteExternalAccountSuccess { deletedExternalAccountId } ${FAILURE} }
        }`,
        { input: { id } },
      ),
      () => ({ status: 204, body: null }),
    ),
  challenge: async (caller: Credentials, id: string, input: Input): Promise<Answer> =>
    answerOf(
      await callGraphQL(
        as(caller),
        `mutation ($input: CreateOwnershipChallengeInput!) {
          createOwnershipChallenge(input: $input) {
            ... on CreateOwnershipChallengeSuccess { challenge { method messageToSign expiresAt } } ${FAILURE}
          }
        }`,
        { input: { id, ...input } },
      ),
      ({ challenge }) => ({ status: 201, body: challenge }),
    ),
  verify: async (caller: Credentials, id: string, input: Input): Promise<Answer> =>
    answerOf(
      await callGraphQL(
        as(caller),
        `mutation ($input: VerifyOwnershipInput!) {
          verifyOwnership(input: $input) { ... on VerifyOwnershipSuccess { externalAccount { ${FIELDS} } } ${FAILURE} }
        }`,
        { input: { id, ...input } },
      ),
      ({ externalAccount }) => ({ status: 200, body: accountBody(externalAccount) }),
    ),
} as const

const below = ({ customerId }: Input) => (customerId === undefined ? '/platform' : '/customers')

const rest = {
  name: 'REST',
  create: async (caller: Credentials | Authorization, input: Input): Promise<Answer> =>
    callRest(as(caller), 'POST', `${below(input)}/external-accounts`, input),
  delete: async (caller: Credentials | Authorization, id: string): Promise<Answer> =>
    callRest(as(caller), 'DELETE', `/customers/external-accounts/${id}`),
  challenge: async (caller: Credentials, id: string, input: Input): Promise<Answer> =>
    callRest(as(caller), 'POST', `/customers/external-accounts/${id}/challenge`, input),
  verify: async (caller: Credentials, id: string, input: Input): Promise<Answer> =>
    callRest(as(caller), 'POST', `/customers/external-accounts/${id}/verify`, input),
} as const

export const accountFaces = [graphql, rest] as const
