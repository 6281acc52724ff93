import { z } from 'zod'
import { AGENT_ACTION_STATUSES, AGENT_ACTION_TYPES, AgentActionRecord } from '#agents/actions/action.ts'
import { AGENT_PERMISSIONS } from '#core/caller.ts'
import { idOf } from '#core/input.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { quoteSchema } from '#quotes/rest-schema.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { transactionSchema } from '#transactions/rest-schema.ts'
import { AGENT_EXECUTION_MODES, AgentRecord } from './agent.ts'
import { ACTION_TEXTS, AGENT_TEXTS, CONNECTION_TEXTS, DEVICE_CODE_TEXTS, POLICY_TEXTS, USAGE_TEXTS } from './texts.ts'

const { texts } = AgentRecord
const actionTexts = AgentActionRecord.texts
const mode = z.enum(AGENT_EXECUTION_MODES)
const smallestUnits = z.int().min(0)

const policySchema = z
  .object({
    permissions: z.array(z.enum(AGENT_PERMISSIONS)).describe(texts.permissions),
    defaultExecutionMode: mode.describe(texts.defaultExecutionMode),
    spendingLimits: z
      .object({
        currency: z.string().describe(texts.limitCurrency),
        perTransactionLimit: smallestUnits.describe(texts.perTransactionLimit),
        dailyLimit: smallestUnits.nullable().describe(texts.dailyLimit),
        dailyTransactionLimit: z.int().min(0).optional().describe(texts.dailyTransactionLimit),
        monthlyLimit: smallestUnits.nullable().describe(texts.monthlyLimit),
      })
      .describe(POLICY_TEXTS.spendingLimits),
    accountRestrictions: z
      .object({
        allowedAccountIds: z.array(idOf('InternalAccount')).nullable().describe(texts.allowedAccountIds),
        accountRules: z
          .array(
            z.object({
              accountId: idOf('InternalAccount').describe(POLICY_TEXTS.ruleAccountId),
              executionMode: mode.optional().describe(POLICY_TEXTS.ruleExecutionMode),
              perTransactionLimit: smallestUnits.nullable().describe(POLICY_TEXTS.rulePerTransactionLimit),
            }),
          )
          .describe(texts.accountRules),
      })
      .optional()
      .describe(POLICY_TEXTS.accountRestrictions),
    approvalThresholds: z
      .object({
        currency: z.string().describe(texts.approvalThresholdCurrency),
        amount: smallestUnits.nullable().describe(texts.approvalThresholdAmount),
      })
      .optional()
      .describe(POLICY_TEXTS.approvalThresholds),
    repriceToleranceBps: z.int().min(0).max(1000).describe(texts.repriceToleranceBps),
  })
  .meta({ id: 'AgentPolicy', description: AGENT_TEXTS.policy })

const usageSchema = z
  .object({
    dailyTransactionCount: z.int().min(0).describe(texts.dailyTransactionCount),
    dailySpend: smallestUnits.describe(texts.dailySpend),
    dailyResetDate: z.iso.date().describe(USAGE_TEXTS.dailyResetDate),
    monthlySpend: smallestUnits.describe(texts.monthlySpend),
    monthlyResetMonth: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe(USAGE_TEXTS.monthlyResetMonth),
  })
  .meta({ id: 'AgentUsage', description: AGENT_TEXTS.usage })

export const agentSchema = z
  .object({
    id: idOf('Agent').describe(texts.id),
    name: z.string().describe(texts.name),
    customerId: idOf('Customer').describe(texts.customerId),
    isPaused: z.boolean().describe(texts.isPaused),
    isConnected: z.boolean().describe(texts.isConnected),
    policy: policySchema,
    usage: usageSchema,
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'Agent', description: 'Software that acts for a customer under a policy.' })

const redeemed = z.boolean().describe(DEVICE_CODE_TEXTS.redeemed)

export const deviceCodeSchema = z
  .object({
    code: z.string().describe(DEVICE_CODE_TEXTS.code),
    agentId: idOf('Agent').describe(DEVICE_CODE_TEXTS.agentId),
    expiresAt: timeSchema(DEVICE_CODE_TEXTS.expiresAt),
    redeemed,
  })
  .meta({ id: 'DeviceCode', description: "One-time code that connects an agent's software." })

export const deviceCodeStatusSchema = z
  .object({ code: z.string().describe(DEVICE_CODE_TEXTS.code), redeemed })
  .meta({ id: 'DeviceCodeStatus', description: 'Status of a device code.' })

export const createdAgentSchema = z
  .object({ agent: agentSchema, deviceCode: deviceCodeSchema })
  .meta({ id: 'CreatedAgent', description: 'A new agent and its first device code.' })

export const connectionSchema = z
  .object({
    agentId: idOf('Agent').describe(CONNECTION_TEXTS.agentId),
    agentName: z.string().describe(texts.name),
    accessToken: z.string().describe(CONNECTION_TEXTS.accessToken),
    policy: policySchema,
  })
  .meta({ id: 'AgentConnection', description: 'The access token of a newly connected agent.' })

const failureSchema = z
  .object({
    code: z.string().describe(actionTexts.failureCode),
    message: z.string().describe(actionTexts.failureMessage),
  })
  .meta({ id: 'AgentActionFailure', description: 'Why an action could not be executed.' })

export const actionSchema = z
  .object({
    id: idOf('AgentAction').describe(actionTexts.id),
    agentId: idOf('Agent').describe(actionTexts.agentId),
    customerId: idOf('Customer').describe(actionTexts.customerId),
    platformCustomerId: z.string().describe(CustomerRecord.texts.platformCustomerId),
    status: z.enum(AGENT_ACTION_STATUSES).describe(actionTexts.status),
    type: z.enum(AGENT_ACTION_TYPES).describe(actionTexts.type),
    quote: quoteSchema.optional().describe(ACTION_TEXTS.quote),
    transferDetails: z
      .object({
        amount: smallestUnits.describe(actionTexts.amount),
        currency: z.string().describe(actionTexts.currency),
        sourceAccountId: idOf('InternalAccount').describe(actionTexts.internalAccountId),
        destinationAccountId: idOf('ExternalAccount').describe(actionTexts.externalAccountId),
      })
      .optional()
      .describe(ACTION_TEXTS.transferDetails),
    externalAccountId: idOf('ExternalAccount').optional().describe(ACTION_TEXTS.externalAccountId),
    transaction: transactionSchema.optional().describe(ACTION_TEXTS.transaction),
    rejectionReason: z.string().optional().describe(actionTexts.rejectionReason),
    failure: failureSchema.optional().describe(ACTION_TEXTS.failure),
    repricedFrom: quoteSchema.optional().describe(ACTION_TEXTS.repricedFrom),
    approvalExpiresAt: timeSchema(actionTexts.approvalExpiresAt).optional(),
    createdAt: timeSchema(actionTexts.createdAt),
    updatedAt: timeSchema(actionTexts.updatedAt),
  })
  .meta({
    id: 'AgentAction',
    description: 'A payment, or a change of an external account, that an agent made or requested.',
  })

export const agentPageSchema = pageSchema('AgentPage', agentSchema)
export const actionPageSchema = pageSchema('AgentActionPage', actionSchema)
