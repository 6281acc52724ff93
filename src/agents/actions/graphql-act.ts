// The mutations with which agents move money, and change external accounts. Agents create quotes with `createQuote`, as platforms do.
import { AgentCreateExternalAccountInput, newAccountBody, placeInInput } from '#accounts/external/graphql.ts'
import { accountInputForms } from '#accounts/external/graphql-inputs.ts'
import { type AgentCaller, type AgentPermission, type Caller, requireAgent } from '#core/caller.ts'
import { signatureOf } from '#credentials/signed-retry/graphql.ts'
import { fieldsInput } from '#graphql/input-of.ts'
import { addMutation, payloadWith } from '#graphql/mutation.ts'
import { makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { executionRequest } from '#quotes/execute.ts'
import { ExecuteQuoteInput } from '#quotes/graphql-mutations.ts'
import { requirePayer } from '#settlement/payer.ts'
import {
  placeOfTransfer,
  TransferInInput,
  TransferOutInput,
  transferInBody,
  transferOutBody,
} from '#transfers/graphql.ts'
import { transferInRequest, transferOutRequest } from '#transfers/transfer.ts'
import { addAccountAsAgent, deleteAccountAsAgent } from './account-actions.ts'
import { executeQuoteAsAgent, transferInAsAgent, transferOutAsAgent } from './act.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'
import { AgentActionSuccess } from './graphql-decisions.ts'

const AgentActPayload = payloadWith(
  'AgentAct',
  'Result of a payment by an agent. The action is `APPROVED` and being executed, or `PENDING_APPROVAL`.',
  { success: AgentActionSuccess, statuses: [400, 401, 403, 404, 409, 423] },
)

/** Called first, so that an agent without the permission learns nothing from its input or its key. */
const actingAgent = (caller: Caller, permission: AgentPermission): AgentCaller => {
  const agent = requireAgent(caller)
  requirePayer(agent, permission)
  return agent
}

const actOnce = async (
  agent: AgentCaller,
  call: Parameters<typeof makeOnce>[1],
  act: (record: RecordResult) => Promise<AgentAction>,
) => ({ agentAction: await makeOnce(agent, call, AgentActionRecord, act) })

addMutation('agentExecuteQuote', {
  callers: 'ALL',
  description: 'For agents: executes a quote that the agent created, as its policy allows.',
  input: ExecuteQuoteInput,
  payload: AgentActPayload,
  usesCredential: true,
  resolve: async ({ walletSignature, idempotencyKey: key, ...input }, { caller }, headers) => {
    const agent = actingAgent(caller, 'EXECUTE_QUOTES')
    const call = { operation: 'executeQuote', key, input, schema: executionRequest } as const
    return actOnce(agent, call, (record) =>
      executeQuoteAsAgent(agent, input, signatureOf(walletSignature, headers), record),
    )
  },
})

addMutation('agentTransferOut', {
  callers: 'ALL',
  description:
    'For agents: transfers from an internal to an external account of the same currency, as the policy allows.',
  input: TransferOutInput,
  check: transferOutRequest,
  payload: AgentActPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (given, { caller }) => {
    const agent = actingAgent(caller, 'CREATE_TRANSFERS')
    const input = transferOutBody(given)
    const call = { operation: 'transferOut', key: given.idempotencyKey, input, schema: transferOutRequest } as const
    return actOnce(agent, call, (record) => transferOutAsAgent(agent, input, record))
  },
})

addMutation('agentTransferIn', {
  callers: 'ALL',
  description:
    'For agents: transfers from an external to an internal account of the same currency, as the policy allows.',
  input: TransferInInput,
  check: transferInRequest,
  payload: AgentActPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (given, { caller }) => {
    const agent = actingAgent(caller, 'CREATE_TRANSFERS')
    const input = transferInBody(given)
    const call = { operation: 'transferIn', key: given.idempotencyKey, input, schema: transferInRequest } as const
    return actOnce(agent, call, (record) => transferInAsAgent(agent, input, record))
  },
})

addMutation('agentCreateExternalAccount', {
  callers: 'ALL',
  description:
    'For agents: adds an external account of the customer, as the policy allows. If the policy requires approval, the account is `PENDING` until the platform approves. Errors as for `createExternalAccount`.',
  input: AgentCreateExternalAccountInput,
  check: accountInputForms(),
  payload: AgentActPayload,
  placeOf: placeInInput,
  resolve: async (input, { caller }) => ({
    agentAction: await addAccountAsAgent(requireAgent(caller), newAccountBody(input)),
  }),
})

addMutation('agentDeleteExternalAccount', {
  callers: 'ALL',
  description: 'For agents: deletes an external account of the customer, as the policy allows.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: '`ExternalAccount:<uuid>`.' }) })),
  payload: AgentActPayload,
  resolve: async ({ id }, { caller }) => ({ agentAction: await deleteAccountAsAgent(requireAgent(caller), id) }),
})
