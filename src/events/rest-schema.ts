// Events in the contract: the envelope, and the data of each type. The functions that build the data must follow it (`data.ts`).
import { z } from 'zod'
import { internalAccountSchema } from '#accounts/rest-schema.ts'
import { actionSchema } from '#agents/rest-schema.ts'
import { cardSchema } from '#cards/rest-schema.ts'
import { idOf } from '#core/input.ts'
import { bulkJobSchema } from '#customers/bulk/rest-schema.ts'
import { businessSchema, individualSchema } from '#customers/rest-schema.ts'
import { invitationSchema } from '#invitations/rest-schema.ts'
import { counterpartyFieldSchema } from '#platforms/settings/rest-schema.ts'
import { discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import { cardSchema as cardTransactionSchema, incomingSchema, outgoingSchema } from '#transactions/rest-schema.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import { verificationSchema } from '#verification/rest-schema.ts'
import { EVENT_TEXTS, EventRecord } from './event.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'

const { texts } = EventRecord

/** Events whose types begin with `group`. */
const eventsOf = <G extends string, S extends z.ZodType>(id: string, description: string, group: G, data: S) =>
  z
    .object({
      id: idOf('Webhook').describe(texts.id),
      type: z
        .enum(EVENT_TYPES.filter((type): type is Extract<EventType, `${G}${string}`> => type.startsWith(group)))
        .describe(texts.type),
      timestamp: timeSchema(texts.createdAt),
      data: data.describe(EVENT_TEXTS.data),
    })
    .meta({ id, description })

const incomingPaymentSchema = z.intersection(
  incomingSchema,
  z.object({
    requestedReceiverCustomerInfoFields: z
      .array(counterpartyFieldSchema)
      .optional()
      .describe(TransactionRecord.texts.requestedReceiverCustomerInfoFields),
  }),
)

const cardPaymentSchema = z.intersection(
  cardTransactionSchema,
  z.object({
    destination: z
      .object({
        destinationType: discriminator('CARD'),
        cardId: cardTransactionSchema.shape.cardId,
      })
      .describe('The card.'),
  }),
)

/** What webhooks send. */
export const webhookSchema = z
  .discriminatedUnion('type', [
    eventsOf('OutgoingPaymentEvent', 'An outgoing payment changed.', 'OUTGOING_PAYMENT.', outgoingSchema),
    eventsOf('IncomingPaymentEvent', 'An incoming payment changed.', 'INCOMING_PAYMENT.', incomingPaymentSchema),
    eventsOf('CardTransactionEvent', 'A card transaction changed.', 'CARD_TRANSACTION.', cardPaymentSchema),
    eventsOf('CardEvent', 'A card changed.', 'CARD.', cardSchema),
    eventsOf('AgentActionEvent', 'An action of an agent waits for approval.', 'AGENT_ACTION.', actionSchema),
    eventsOf('IndividualCustomerEvent', 'The verification of a person changed.', 'CUSTOMER.KYC_', individualSchema),
    eventsOf('BusinessCustomerEvent', 'The verification of a business changed.', 'CUSTOMER.KYB_', businessSchema),
    eventsOf('VerificationEvent', 'A verification changed.', 'VERIFICATION.', verificationSchema),
    eventsOf('InternalAccountEvent', 'An internal account changed.', 'INTERNAL_ACCOUNT.', internalAccountSchema),
    eventsOf('InvitationEvent', 'An invitation was claimed.', 'INVITATION.', invitationSchema),
    eventsOf('BulkUploadEvent', 'An import of customers ended.', 'BULK_UPLOAD.', bulkJobSchema),
    eventsOf('TestEvent', 'A test of the endpoint. Nothing happened.', 'TEST', z.object({})),
  ])
  .describe('An event. Its type decides what its data is. The body is the same on every attempt.')

const withCursor = z.object({ cursor: z.string().describe(EVENT_TEXTS.cursor) })

/** Not an intersection with the whole union: generators of clients read that as one more member of it. */
export const eventSchema = z
  .union(webhookSchema.options.map((event) => z.intersection(event, withCursor)))
  .meta({ id: 'Event', description: 'An event as the webhook sends it, with its cursor.' })

export const eventPageSchema = pageSchema('EventPage', eventSchema)
