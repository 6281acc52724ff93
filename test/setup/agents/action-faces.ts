// The payments of agents and the decisions of platforms over both APIs. Answers have the shape of REST in either case.
import { type Answer, type Authorization, callGraphQL, callRest } from './agent-faces.ts'

export interface QuoteInput {
  readonly source: { readonly accountId: string }
  readonly destination: { readonly accountId: string; readonly paymentRail?: string }
  readonly lockedCurrencySide: 'SENDING' | 'RECEIVING'
  readonly lockedCurrencyAmount: number
}

export interface TransferInput {
  readonly source: { readonly accountId: string }
  readonly destination: { readonly accountId: string; readonly paymentRail?: string }
  readonly amount?: number
}

interface Reason {
  readonly reason?: string
}

export interface ActionFace {
  readonly name: 'GraphQL' | 'REST'
  createQuote(agent: Authorization, input: QuoteInput): Promise<Answer>
  execute(agent: Authorization, quoteId: string, signature?: string): Promise<Answer>
  transferOut(agent: Authorization, input: TransferInput): Promise<Answer>
  transferIn(agent: Authorization, input: TransferInput): Promise<Answer>
  readAction(agent: Authorization, id: string): Promise<Answer>
  approvals(who: Authorization, filter?: object): Promise<Answer>
  approve(who: Authorization, agentId: string, actionId: string): Promise<Answer>
  reject(who: Authorization, agentId: string, actionId: string, input?: Reason): Promise<Answer>
  approveTransaction(who: Authorization, id: string, input?: object): Promise<Answer>
  rejectTransaction(who: Authorization, id: string, input?: Reason): Promise<Answer>
}

const at = encodeURIComponent

const overRest = async (who: Authorization, method: string, path: string, body?: unknown): Promise<Answer> => {
  const { status, body: answer, headers } = await callRest(who, method, path, body)
  return { status, body: answer, retryAfter: headers.get('retry-after') }
}

const rest: ActionFace = {
  name: 'REST',
  createQuote: (agent, { source, destination, ...input }) =>
    overRest(agent, 'POST', '/agents/me/quotes', {
      source: { sourceType: 'ACCOUNT', ...source },
      destination: { destinationType: 'ACCOUNT', ...destination },
      ...input,
    }),
  execute: (agent, id, signature) => {
    const headers = signature === undefined ? {} : { 'service-wallet-signature': signature }
    return callRest(agent, 'POST', `/agents/me/quotes/${at(id)}/execute`, undefined, null, headers).then(
      ({ status, body }) => ({ status, body, retryAfter: null }),
    )
  },
  transferOut: (agent, input) => overRest(agent, 'POST', '/agents/me/transfer-out', input),
  transferIn: (agent, input) => overRest(agent, 'POST', '/agents/me/transfer-in', input),
  readAction: (agent, id) => overRest(agent, 'GET', `/agents/me/actions/${at(id)}`),
  approvals: (who, filter = {}) =>
    overRest(who, 'GET', `/agents/approvals?${new URLSearchParams(Object.entries(filter) as [string, string][])}`),
  approve: (who, agentId, id) => overRest(who, 'POST', `/agents/${at(agentId)}/actions/${at(id)}/approve`),
  reject: (who, agentId, id, input) => overRest(who, 'POST', `/agents/${at(agentId)}/actions/${at(id)}/reject`, input),
  approveTransaction: (who, id, input) => overRest(who, 'POST', `/transactions/${at(id)}/approve`, input),
  rejectTransaction: (who, id, input) => overRest(who, 'POST', `/transactions/${at(id)}/reject`, input),
}

const PAYMENT = `fragment Payment on PaymentTransaction {
  id status type agentId
  ... on OutgoingTransaction { outgoingFailure: failureReason }
  ... on IncomingTransaction { incomingFailure: failureReason }
}`
const ACTION = `fragment Action on AgentAction {
  id agentId customerId platformCustomerId status type rejectionReason approvalExpiresAt createdAt updatedAt
  failure { code message }
  quote { id status transactionId totalSendingAmount totalReceivingAmount }
  repricedFrom { id status transactionId totalSendingAmount totalReceivingAmount }
  transferDetails { amount currency sourceAccountId destinationAccountId }
  transaction { ...Payment }
} ${PAYMENT}`
const FAILURE = '... on ApiError { status code message details { field reason } }'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

/** The null fields that REST omits. */
const withoutNulls = (object: Json): Json =>
  object && Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
const paymentOf = ({ outgoingFailure, incomingFailure, ...payment }: Json) =>
  withoutNulls({ ...payment, failureReason: outgoingFailure ?? incomingFailure ?? null })
const actionOf = ({ transaction, ...action }: Json) =>
  withoutNulls({ ...action, transaction: transaction && paymentOf(transaction) })

const overGraphQL = async (
  who: Authorization,
  document: string,
  variables: object,
  success: number,
  bodyOf: (answer: Json) => Json,
): Promise<Answer> => {
  const { body } = await callGraphQL(who, document, variables)
  const error = body.errors?.[0]
  const failed = error ? { message: error.message, ...error.extensions } : body.data.answer
  if (failed?.code && failed.status) {
    const { status, code, message, details } = failed
    return { status, body: withoutNulls({ status, code, message, details: withoutNulls(details) }), retryAfter: null }
  }
  return { status: success, body: bodyOf(body.data.answer), retryAfter: null }
}

const mutate = (name: string, input: string, outcome: string, fragments: string) =>
  `mutation ($input: ${input}!) { answer: ${name}(input: $input) { __typename ${outcome} ${FAILURE} } } ${fragments}`
const act = (name: string) =>
  mutate(name, `${name.replace('agent', '')}Input`, '... on AgentActionSuccess { agentAction { ...Action } }', ACTION)
const decide = (name: string) =>
  mutate(
    name,
    `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`,
    name.endsWith('Action')
      ? '... on AgentActionSuccess { agentAction { ...Action } }'
      : '... on TransactionDecisionSuccess { transaction { ...Payment } }',
    name.endsWith('Action') ? ACTION : PAYMENT,
  )
const transferInput = ({ source, destination: { accountId, ...destination }, ...input }: TransferInput) => ({
  sourceAccountId: source.accountId,
  destinationAccountId: accountId,
  ...destination,
  ...input,
})
const ofAction = ({ agentAction }: Json) => actionOf(agentAction)
const ofTransaction = ({ transaction }: Json) => paymentOf(transaction)

const graphql: ActionFace = {
  name: 'GraphQL',
  createQuote: (agent, input) => {
    const quote = '... on CreateQuoteSuccess { quote { id status transactionId totalSendingAmount } }'
    const document = mutate('createQuote', 'CreateQuoteInput', quote, '')
    return overGraphQL(agent, document, { input }, 201, ({ quote }) => quote)
  },
  execute: (agent, id, walletSignature) =>
    overGraphQL(agent, act('agentExecuteQuote'), { input: { id, walletSignature } }, 200, ofAction),
  transferOut: (agent, input) =>
    overGraphQL(agent, act('agentTransferOut'), { input: transferInput(input) }, 201, ofAction),
  transferIn: (agent, input) =>
    overGraphQL(agent, act('agentTransferIn'), { input: transferInput(input) }, 201, ofAction),
  readAction: (agent, id) =>
    overGraphQL(agent, `query ($id: ID!) { answer: node(id: $id) { ...Action } } ${ACTION}`, { id }, 200, actionOf),
  approvals: (who, filter = {}) => {
    const document = `query ($filter: AgentApprovalFilter) {
      answer: agentApprovals(filter: $filter) { totalCount pageInfo { hasNextPage } nodes { ...Action } }
    } ${ACTION}`
    return overGraphQL(who, document, { filter }, 200, ({ totalCount, pageInfo, nodes }) => ({
      data: nodes.map(actionOf),
      totalCount,
      hasMore: pageInfo.hasNextPage,
    }))
  },
  approve: (who, agentId, actionId) =>
    overGraphQL(who, decide('approveAgentAction'), { input: { agentId, actionId } }, 200, ofAction),
  reject: (who, agentId, actionId, input) =>
    overGraphQL(who, decide('rejectAgentAction'), { input: { agentId, actionId, ...input } }, 200, ofAction),
  approveTransaction: (who, transactionId, input) =>
    overGraphQL(who, decide('approveTransaction'), { input: { transactionId, ...input } }, 200, ofTransaction),
  rejectTransaction: (who, transactionId, input) =>
    overGraphQL(who, decide('rejectTransaction'), { input: { transactionId, ...input } }, 200, ofTransaction),
}

export const actionFaces: readonly ActionFace[] = [graphql, rest]
