import { z } from 'zod'
import { AGENT_ACTION_STATUSES, AGENT_ACTION_TYPES } from '#agents/actions/action.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { idOf } from '#core/input.ts'
import { quoteSchema } from '#quotes/rest-schema.ts'
import { currencyCodeSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import { transactionSchema } from '#transactions/rest-schema.ts'
import { AGENT_EXECUTION_MODES } from './agent.ts'

const mode = z.enum(AGENT_EXECUTION_MODES)
const PERMISSIONS = 'All that it may do. No operation needs `MANAGE_EXTERNAL_ACCOUNTS` yet.'
const UNIT = 'In the smallest unit of the limits’ currency.'
const spend = z.int().min(0)
const limit = spend.describe(UNIT)
const noLimit = limit.nullable().describe(`${UNIT} Null means no limit.`)

const policySchema = z
  .object({
    permissions: z.array(z.enum(AGENT_PERMISSIONS)).describe(PERMISSIONS),
    defaultExecutionMode: mode.describe('Whether a person must approve, where nothing else decides.'),
    spendingLimits: z
      .object({
        currency: z.string().describe('Code of the currency that limits and usage are in.'),
        perTransactionLimit: limit,
        dailyLimit: noLimit,
        dailyTransactionLimit: z
          .int()
          .min(0)
          .optional()
          .describe('Number of transactions a day. Absent means no limit.'),
        monthlyLimit: noLimit,
      })
      .describe('How much it may move.'),
    accountRestrictions: z
      .object({
        allowedAccountIds: z.array(idOf('InternalAccount')).nullable().describe('Null is all of the customer’s.'),
        accountRules: z
          .array(
            z.object({
              accountId: idOf('InternalAccount'),
              executionMode: mode.optional().describe('Absent: the default.'),
              perTransactionLimit: noLimit.describe(`${UNIT} Null: the general one.`),
            }),
          )
          .describe('Rules for single accounts; they override the defaults.'),
      })
      .optional()
      .describe('Which accounts, and rules for single ones. Absent: all of the customer’s.'),
    approvalThresholds: z
      .object({
        currency: currencyCodeSchema,
        amount: z.int().min(0).nullable().describe('What exceeds it must be approved. Smallest units; null is none.'),
      })
      .optional()
      .describe('Above which amount a person must approve, even when the mode is `AUTO`. Absent is none.'),
    repriceToleranceBps: z
      .int()
      .min(0)
      .max(1000)
      .describe('Basis points by which a quote may be worse when it expired before the approval and is priced again.'),
  })
  .meta({ id: 'AgentPolicy', description: 'What an agent may do, and when a person must approve.' })

const usageSchema = z
  .object({
    dailyTransactionCount: z.int().min(0).describe('Transactions of the UTC day.'),
    dailySpend: spend.describe(`Spend of the UTC day. ${UNIT}`),
    dailyResetDate: z.iso.date().describe('When the day’s figures turn to zero, at 00:00 UTC.'),
    monthlySpend: spend.describe(`Spend of the UTC month. ${UNIT}`),
    monthlyResetMonth: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe('The month, `YYYY-MM`, with which the month’s figures turn to zero.'),
  })
  .meta({ id: 'AgentUsage', description: 'What the agent has used of its limits.' })

export const agentSchema = z
  .object({
    id: idOf('Agent'),
    name: z.string().describe('For people to recognize it by.'),
    customerId: idOf('Customer').describe('The customer that it acts for.'),
    isPaused: z.boolean().describe('A paused agent reads, and changes nothing.'),
    isConnected: z.boolean().describe('Whether a device code of it was redeemed.'),
    policy: policySchema,
    usage: usageSchema,
    createdAt: timeSchema('When it was created.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'Agent', description: 'Software that acts for one customer.' })

const redeemed = z.boolean().describe('Whether it was redeemed.')

export const deviceCodeSchema = z
  .object({
    code: z.string().describe('`SERVICE-AGENT-XXXX-XXXX`, to be typed into the agent’s software.'),
    agentId: idOf('Agent'),
    expiresAt: timeSchema('Until when it can be redeemed: 24 hours.'),
    redeemed,
  })
  .meta({ id: 'DeviceCode', description: 'What connects an agent, once.' })

export const deviceCodeStatusSchema = z
  .object({ code: z.string().describe('The code that was asked about.'), redeemed })
  .meta({ id: 'DeviceCodeStatus', description: 'Whether a code was redeemed.' })

export const createdAgentSchema = z
  .object({ agent: agentSchema, deviceCode: deviceCodeSchema })
  .meta({ id: 'CreatedAgent', description: 'A new agent, and the code that connects it.' })

export const connectionSchema = z
  .object({
    agentId: idOf('Agent'),
    agentName: z.string().describe('For people to recognize it by.'),
    accessToken: z.string().describe('The agent’s bearer token. Given out this once.'),
    policy: policySchema,
  })
  .meta({ id: 'AgentConnection', description: 'The access of an agent that was connected.' })

const failureSchema = z
  .object({
    code: z
      .string()
      .describe(
        'An error code, the reason of a conflict such as `QUOTE_EXPIRED`, `AGENT_POLICY`, `PRICE_MOVED` or `APPROVAL_EXPIRED`.',
      ),
    message: z.string().describe('The reason in words.'),
  })
  .meta({ id: 'AgentActionFailure', description: 'Why an action could not be carried out.' })

export const actionSchema = z
  .object({
    id: idOf('AgentAction'),
    agentId: idOf('Agent'),
    customerId: idOf('Customer').describe('`Customer:<uuid>` that the agent acts for.'),
    platformCustomerId: z.string().describe('The platform’s own id of the customer.'),
    status: z.enum(AGENT_ACTION_STATUSES).describe('What came of it.'),
    type: z.enum(AGENT_ACTION_TYPES).describe('What the agent wants to do.'),
    quote: quoteSchema.optional().describe('Of EXECUTE_QUOTE.'),
    transferDetails: z
      .object({
        amount: z.int().min(0).describe('In the smallest unit of the currency.'),
        currency: currencyCodeSchema,
        sourceAccountId: idOf('InternalAccount').describe('The account held here.'),
        destinationAccountId: idOf('ExternalAccount').describe('The account outside.'),
      })
      .optional()
      .describe('Of TRANSFER_OUT and TRANSFER_IN.'),
    transaction: transactionSchema.optional().describe('The payment. PENDING until the action is approved.'),
    rejectionReason: z.string().optional().describe('Why it was rejected, for people.'),
    failure: failureSchema.optional().describe('Why it could not be carried out. Present when FAILED.'),
    repricedFrom: quoteSchema.optional().describe('The expired quote that `quote` has replaced.'),
    approvalExpiresAt: timeSchema('Until when the platform can decide. Absent when nothing waited for it.').optional(),
    createdAt: timeSchema('When the agent asked.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'AgentAction', description: 'What an agent did, or wants to do.' })

export const agentPageSchema = pageSchema('AgentPage', agentSchema)
export const actionPageSchema = pageSchema('AgentActionPage', actionSchema)
