// The data of events: the resource as REST returned it right after the change. GraphQL, REST and webhooks return the same data.

import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { internalAccountBody } from '#accounts/rest-body.ts'
import { AgentActionRecord } from '#agents/actions/action.ts'
import { actionBody } from '#agents/rest-body.ts'
import { CardRecord } from '#cards/card.ts'
import { cardBody } from '#cards/rest-body.ts'
import { publicId } from '#core/ids.ts'
import { BulkJobRecord, selectErrors } from '#customers/bulk/job.ts'
import { bulkJobBody } from '#customers/bulk/rest-body.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { OwnerRecord } from '#customers/owners/owner.ts'
import { customerBody } from '#customers/rest-body.ts'
import { db } from '#database/db.ts'
import { InvitationRecord } from '#invitations/invitation.ts'
import { invitationBody } from '#invitations/rest-body.ts'
import { QuoteRecord } from '#quotes/quote.ts'
import type { BodyOf } from '#rest/schema.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import { verificationBody } from '#verification/rest-body.ts'
import { VerificationRecord } from '#verification/verification.ts'
import type { Event, SubjectKind } from './event.ts'
import type { webhookSchema } from './rest-schema.ts'
import { FIXED_COLUMNS, shortSnapshots, snapshotLists, snapshots, type Tenant } from './snapshots.ts'

/** A trigger writes every snapshot with its parts. */
const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('A snapshot lacks a part')
  return value
}

/** The data of one event takes this many rows: an action with its customer, its quote and its payment. A business with many owners takes more. */
export const MOST_ROWS = 4

/** The body of a webhook. */
export type Envelope = BodyOf<typeof webhookSchema>

/** The data of events whose types begin with `G`. */
type DataOf<G extends string> = Extract<Envelope, { readonly type: `${G}${string}` }>['data']

/** The data of each event, in order, for events that the caller may see. */
type DataOfEvents<D = Envelope['data']> = (tenant: Tenant, ids: readonly string[]) => Promise<D[]>

const ofTransactions: DataOfEvents<DataOf<'OUTGOING_PAYMENT.' | 'INCOMING_PAYMENT.' | 'CARD_TRANSACTION.'>> = async (
  tenant,
  ids,
) =>
  (await shortSnapshots(tenant, TransactionRecord, FIXED_COLUMNS.transactions, ids)).map((snapshot) => {
    const transaction = present(snapshot)
    const body = transactionBody(transaction)
    if (body.type === 'CARD') return { ...body, destination: { destinationType: 'CARD', cardId: body.cardId } }
    const { requestedReceiverCustomerInfoFields } = transaction
    return requestedReceiverCustomerInfoFields === null ? body : { ...body, requestedReceiverCustomerInfoFields }
  })

const ofCards: DataOfEvents<DataOf<'CARD.'>> = async (tenant, ids) => {
  const [cards, accounts] = await Promise.all([
    snapshots(tenant, CardRecord, ids),
    snapshots(tenant, InternalAccountRecord, ids, 'account'),
  ])
  return cards.map((card, index) => cardBody(present(card), present(accounts[index]).currency))
}

const ofActions: DataOfEvents<DataOf<'AGENT_ACTION.'>> = async (tenant, ids) => {
  const [actions, customers, quotes, payments] = await Promise.all([
    snapshots(tenant, AgentActionRecord, ids),
    snapshots(tenant, CustomerRecord, ids, 'customer'),
    snapshots(tenant, QuoteRecord, ids, 'quote'),
    snapshots(tenant, TransactionRecord, ids, 'payment'),
  ])
  return actions.map((action, index) =>
    actionBody({
      action: present(action),
      platformCustomerId: present(customers[index]).platformCustomerId,
      quote: quotes[index],
      transaction: payments[index],
      // A quote that waits for its customer cannot be executed, and only the decision prices it again.
      scaChallenge: undefined,
      repricedFrom: undefined,
    }),
  )
}

const ofCustomers: DataOfEvents<DataOf<'CUSTOMER.'>> = async (tenant, ids) => {
  const [customers, owners] = await Promise.all([
    snapshots(tenant, CustomerRecord, ids),
    snapshotLists(tenant, OwnerRecord, ids, 'owners'),
  ])
  return customers.map((customer, index) => customerBody(present(customer), owners[index] ?? []))
}

const ofAccounts: DataOfEvents<DataOf<'INTERNAL_ACCOUNT.'>> = async (tenant, ids) => {
  const [accounts, { environment }] = await Promise.all([
    shortSnapshots(tenant, InternalAccountRecord, FIXED_COLUMNS.internal_accounts, ids),
    db.platform.findUniqueOrThrow({ where: { id: tenant.platformId }, select: { environment: true } }),
  ])
  return accounts.map((account) => internalAccountBody({ environment }, present(account)))
}

const ofVerifications: DataOfEvents<DataOf<'VERIFICATION.'>> = async (tenant, ids) =>
  (await snapshots(tenant, VerificationRecord, ids)).map((verification) => verificationBody(present(verification)))

/** How many row errors the event of an import shows. REST returns more, but an event must stay small. */
const SHOWN_ERRORS = MOST_ROWS - 1

const ofJobs: DataOfEvents<DataOf<'BULK_UPLOAD.'>> = async (tenant, ids) => {
  const jobs = (await snapshots(tenant, BulkJobRecord, ids)).map(present)
  const errors = await selectErrors(
    tenant,
    jobs.map(({ id }) => id),
    SHOWN_ERRORS,
  )
  return jobs.map((job, index) => bulkJobBody(job, errors[index] ?? []))
}

const ofInvitations: DataOfEvents<DataOf<'INVITATION.'>> = async (tenant, ids) =>
  (await snapshots(tenant, InvitationRecord, ids)).map((invitation) => invitationBody(present(invitation)))

/** Keyed by the kind of object that the events happened to. */
export const DATA_OF: Readonly<Record<SubjectKind, DataOfEvents>> = {
  Transaction: ofTransactions,
  CardTransaction: ofTransactions,
  Card: ofCards,
  AgentAction: ofActions,
  Customer: ofCustomers,
  InternalAccount: ofAccounts,
  Verification: ofVerifications,
  BulkJob: ofJobs,
  Invitation: ofInvitations,
}

/** The events as webhooks send them, in order. Takes a constant number of statements for each kind of subject. */
export const envelopesOf = async (tenant: Tenant, events: readonly Event[]): Promise<Envelope[]> => {
  const data = new Map<string, Envelope['data']>()
  const kinds = [...new Set(events.flatMap(({ objectKind }) => objectKind ?? []))]
  await Promise.all(
    kinds.map(async (kind) => {
      const ids = events.filter(({ objectKind }) => objectKind === kind).map(({ id }) => id)
      const found = await DATA_OF[kind](tenant, ids)
      for (const [index, id] of ids.entries()) data.set(id, found[index] ?? {})
    }),
  )
  return events.map(({ id, type, createdAt }) => {
    const envelope = { id: publicId('Webhook', id), type, timestamp: createdAt, data: data.get(id) ?? {} }
    // The trigger that recorded the event chose its type by its subject.
    return envelope as Envelope
  })
}
