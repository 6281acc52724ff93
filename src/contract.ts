// The REST operations of every slice, with the schemas that check their bodies.
import { accountOperations } from '#accounts/rest-operations.ts'
import { decisionOperations } from '#agents/actions/rest-operations-decisions.ts'
import { ownOperations } from '#agents/me/rest-operations.ts'
import { agentOperations } from '#agents/rest-operations.ts'
import { delegatedKeyOperations } from '#cards/delegated-keys/rest-operations.ts'
import { cardOperations } from '#cards/rest-operations.ts'
import { configurationOperations } from '#configuration/rest-operations.ts'
import { credentialOperations } from '#credentials/rest-operations.ts'
import { walletOperations } from '#credentials/wallet/rest-operations.ts'
import { bulkOperations } from '#customers/bulk/rest-operations.ts'
import { customerOperations } from '#customers/rest-operations.ts'
import { eventOperations } from '#events/rest-operations.ts'
import { apiTokenOperations } from '#platforms/tokens/rest-operations.ts'
import { quoteOperations } from '#quotes/rest-operations.ts'
import type { Operations } from '#rest/operation.ts'
import { contactOperations } from '#sca/contacts/rest-operations.ts'
import { scaOperations } from '#sca/rest-operations.ts'
import { trustOperations } from '#sca/trust/rest-operations.ts'
import { transactionOperations } from '#transactions/rest-operations.ts'
import { transferOperations } from '#transfers/rest-operations.ts'
import { uploadOperations } from '#uploads/rest-operations.ts'
import { documentOperations } from '#verification/documents/rest-operations.ts'
import { ownerOperations } from '#verification/owners/rest-operations.ts'
import { verificationOperations } from '#verification/rest-operations.ts'
import { webhookOperations } from '#webhooks/rest-operations.ts'
import { receivedWebhooks } from '#webhooks/rest-webhook.ts'

const slices: readonly Operations[] = [
  transactionOperations,
  quoteOperations,
  transferOperations,
  credentialOperations,
  walletOperations,
  customerOperations,
  contactOperations,
  scaOperations,
  trustOperations,
  bulkOperations,
  accountOperations,
  cardOperations,
  delegatedKeyOperations,
  agentOperations,
  decisionOperations,
  ownOperations,
  eventOperations,
  webhookOperations,
  verificationOperations,
  ownerOperations,
  documentOperations,
  uploadOperations,
  configurationOperations,
  apiTokenOperations,
]

/** Slices may share a path. */
export const operations: Operations = {}
for (const [path, methods] of slices.flatMap((some) => Object.entries(some))) {
  operations[path] = { ...operations[path], ...methods }
}

/** The requests that platforms receive. */
export const webhooks: Operations = receivedWebhooks
