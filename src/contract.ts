// The REST operations of every slice, with the schemas that check their bodies, and the contract made of them.
import { isEnumType } from 'graphql'
import { accountOperations } from '#accounts/rest-operations.ts'
import { decisionOperations } from '#agents/actions/rest-operations-decisions.ts'
import { ownOperations } from '#agents/me/rest-operations.ts'
import { agentOperations } from '#agents/rest-operations.ts'
import { delegatedKeyOperations } from '#cards/delegated-keys/rest-operations.ts'
import { cardOperations } from '#cards/rest-operations.ts'
import { configurationOperations } from '#configuration/rest-operations.ts'
import { corridorOperations } from '#corridors/rest-operations.ts'
import { credentialOperations } from '#credentials/rest-operations.ts'
import { walletOperations } from '#credentials/wallet/rest-operations.ts'
import { bulkOperations } from '#customers/bulk/rest-operations.ts'
import { ownerOperations } from '#customers/owners/rest-operations.ts'
import { customerOperations } from '#customers/rest-operations.ts'
import { eventOperations } from '#events/rest-operations.ts'
import { invitationOperations } from '#invitations/rest-operations.ts'
import { apiTokenOperations } from '#platforms/tokens/rest-operations.ts'
import { receiverOperations } from '#quotes/lookups/rest-operations.ts'
import { quoteOperations } from '#quotes/rest-operations.ts'
import { type NamedEnum, nameEnums } from '#rest/enum-names.ts'
import { createContract } from '#rest/openapi.ts'
import type { Operations } from '#rest/operation.ts'
import { sandboxOperations } from '#sandbox/rest-operations.ts'
import { SANDBOX_TEXT } from '#sandbox/texts.ts'
import { contactOperations } from '#sca/contacts/rest-operations.ts'
import { scaOperations } from '#sca/rest-operations.ts'
import { trustOperations } from '#sca/trust/rest-operations.ts'
import { schema } from '#schema.ts'
import { cancellationOperations } from '#settlement/cancellation/rest-operations.ts'
import { stablecoinOperations } from '#stablecoins/rest-operations.ts'
import { simulationOperations } from '#transactions/cards/simulation/rest-operations.ts'
import { receiptOperations } from '#transactions/receipt/rest-operations.ts'
import { transactionOperations } from '#transactions/rest-operations.ts'
import { transferOperations } from '#transfers/rest-operations.ts'
import { umaProviderOperations } from '#uma/providers/rest-operations.ts'
import { uploadOperations } from '#uploads/rest-operations.ts'
import { documentOperations } from '#verification/documents/rest-operations.ts'
import { verificationOperations } from '#verification/rest-operations.ts'
import { webhookOperations } from '#webhooks/rest-operations.ts'
import { receivedSchemas, receivedWebhooks } from '#webhooks/rest-webhook.ts'

const slices: readonly Operations[] = [
  transactionOperations,
  cancellationOperations,
  receiptOperations,
  quoteOperations,
  receiverOperations,
  umaProviderOperations,
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
  simulationOperations,
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
  sandboxOperations,
  corridorOperations,
  invitationOperations,
  stablecoinOperations,
]

/** Slices may share a path. */
export const operations: Operations = {}
for (const [path, methods] of slices.flatMap((some) => Object.entries(some))) {
  operations[path] = { ...operations[path], ...methods }
}

/** Both faces call an enumeration by the same name. */
const enums = (): NamedEnum[] =>
  Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .map((type) => ({
      name: type.name,
      description: type.description ?? '',
      labels: type.getValues().map(({ value }) => value),
    }))

export const writeContract = () =>
  nameEnums(createContract(operations, receivedWebhooks, receivedSchemas, { Sandbox: SANDBOX_TEXT }), enums())
