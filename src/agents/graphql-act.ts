// What an agent does with money. It makes quotes as the platform does, with `createQuote`.

import { requireAgent } from '#core/caller.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import {
  ExecuteQuoteInput,
  placeOfTransfer,
  TransferInInput,
  TransferOutInput,
  transferInBody,
  transferOutBody,
} from '#payments/graphql.ts'
import { transferInRequest, transferOutRequest } from '#payments/transfer.ts'
import { executeQuoteAsAgent, transferInAsAgent, transferOutAsAgent } from './act.ts'
import { AgentActionSuccess, successOf } from './graphql-decisions.ts'

const AgentActPayload = payloadOf(
  'AgentActPayload',
  'Result of what an agent does: an action that is `APPROVED` and under way, or `PENDING_APPROVAL` and waiting.',
  [AgentActionSuccess],
  [400, 401, 403, 404, 409],
)

addMutation('agentExecuteQuote', {
  callers: 'ALL',
  description: 'For agents: executes a quote that the agent made, as its policy allows.',
  input: ExecuteQuoteInput,
  payload: AgentActPayload,
  usesCredential: true,
  resolve: async ({ id, walletSignature }, { caller }, { signature }) =>
    successOf(await executeQuoteAsAgent(requireAgent(caller), id, walletSignature || signature)),
})

addMutation('agentTransferOut', {
  callers: 'ALL',
  description:
    'For agents: pays from an internal account to an external one of the same currency, as the policy allows.',
  input: TransferOutInput,
  check: transferOutRequest,
  payload: AgentActPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (input, { caller }) =>
    successOf(await transferOutAsAgent(requireAgent(caller), transferOutBody(input))),
})

addMutation('agentTransferIn', {
  callers: 'ALL',
  description: 'For agents: pulls money into an internal account of the same currency, as the policy allows.',
  input: TransferInInput,
  check: transferInRequest,
  payload: AgentActPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (input, { caller }) => successOf(await transferInAsAgent(requireAgent(caller), transferInBody(input))),
})
