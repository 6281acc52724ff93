// The REST operations of every slice, with the schemas that check their bodies.
import { decisionOperations } from '#agents/actions/rest-operations-decisions.ts'
import { ownOperations } from '#agents/me/rest-operations.ts'
import { agentOperations } from '#agents/rest-operations.ts'
import { credentialOperations } from '#credentials/rest-operations.ts'
import { walletOperations } from '#credentials/wallet/rest-operations.ts'
import { quoteOperations } from '#quotes/rest-operations.ts'
import type { Operations } from '#rest/operation.ts'
import { transactionOperations } from '#transactions/rest-operations.ts'
import { transferOperations } from '#transfers/rest-operations.ts'

export const operations: Operations = {
  ...transactionOperations,
  ...quoteOperations,
  ...transferOperations,
  ...credentialOperations,
  ...walletOperations,
  ...agentOperations,
  ...decisionOperations,
  ...ownOperations,
}
