// The body that adds an account: a form for each account type, made of the table.
import { z } from 'zod'
import { type AccountType, BENEFICIARY_TYPES, pascalCase } from '#accounts/account-info.ts'
import { EXTERNAL_TEXTS } from '#accounts/texts.ts'
import { BENEFICIARY_TEXT, fieldsSchema } from '#accounts/types/account-input.ts'
import { beneficiarySchema } from '#accounts/types/beneficiary.ts'
import type { BeneficiaryType } from '#accounts/types/rule.ts'
import { ACCOUNT_TYPE_RULES, ADDABLE_TYPES, isBankAccount } from '#accounts/types/table.ts'
import { idOf } from '#core/input.ts'
import { discriminator, timeSchema } from '#rest/schema.ts'
import { newExternalAccount } from './create.ts'
import { OWNERSHIP_METHODS, ownershipChallenge, ownershipProof } from './ownership.ts'

const ENVIRONMENT = 'PRODUCTION'

const partiesById = new Map<string, z.ZodObject>()

/** Account types that require the same fields of a person share a schema. */
const party = (type: AccountType, of: BeneficiaryType) => {
  const rule = ACCOUNT_TYPE_RULES[type]
  const { required = [], optional = [] } = of === 'INDIVIDUAL' ? (rule.individual ?? {}) : {}
  const extra = [...required, ...optional].map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  const id = `${pascalCase(of)}${extra.length === 0 ? '' : `With${extra.join('And')}`}Request`
  const schema =
    partiesById.get(id) ??
    z.object({ beneficiaryType: discriminator(of), ...beneficiarySchema(rule, of, ENVIRONMENT).shape }).meta({
      id,
      description: of === 'INDIVIDUAL' ? 'A person who holds an account.' : 'A business that holds an account.',
    })
  partiesById.set(id, schema)
  return schema
}

const beneficiaryOf = (type: AccountType) => {
  const [individual, business] = BENEFICIARY_TYPES.map((of) => party(type, of))
  return z
    .discriminatedUnion('beneficiaryType', [individual as z.ZodObject, business as z.ZodObject])
    .describe(BENEFICIARY_TEXT)
}

const formOf = (type: AccountType) => {
  const { currencies } = ACCOUNT_TYPE_RULES[type]
  return z
    .object({
      accountType: discriminator(type),
      ...fieldsSchema(type, ENVIRONMENT).shape,
      ...(isBankAccount(type) && { beneficiary: beneficiaryOf(type) }),
    })
    .meta({
      id: `${pascalCase(type)}Request`,
      description: `Details of an account in ${currencies.length === 0 ? 'any currency' : currencies.join(' or ')}.`,
    })
}

const [first, ...others] = ADDABLE_TYPES.map(formOf)

const accountInfo = z
  .discriminatedUnion('accountType', [first as z.ZodObject, ...(others as z.ZodObject[])])
  .meta({ id: 'AccountInfoRequest', description: EXTERNAL_TEXTS.newAccountInfo })

const ofPlatform = newExternalAccount
  .omit({ customerId: true, defaultUmaDepositAccount: true, accountInfo: true })
  .extend({ accountInfo })

export const platformAccountRequest = ofPlatform.meta({
  id: 'PlatformExternalAccountRequest',
  description: "A new account of the platform's own.",
})

export const customerAccountRequest = z
  .object({
    customerId: idOf('Customer').describe('`Customer:<uuid>` of the owner.'),
    ...newExternalAccount.omit({ customerId: true, accountInfo: true }).shape,
    accountInfo,
  })
  .meta({ id: 'ExternalAccountRequest', description: 'A new account of a customer.' })

/** Agents add accounts for their customer only. */
export const ownAccountRequest = customerAccountRequest
  .omit({ customerId: true, defaultUmaDepositAccount: true })
  .meta({ id: 'OwnExternalAccountRequest', description: "A new account of the agent's customer." })

export const ownershipChallengeRequest = ownershipChallenge.meta({
  id: 'OwnershipChallengeRequest',
  description: 'How the owner proves ownership.',
})

export const ownershipProofRequest = ownershipProof.meta({
  id: 'OwnershipProofRequest',
  description: 'The proof of ownership.',
})

export const ownershipChallengeSchema = z
  .object({
    method: z.enum(OWNERSHIP_METHODS).describe(EXTERNAL_TEXTS.method),
    messageToSign: z.string().describe(EXTERNAL_TEXTS.messageToSign),
    expiresAt: timeSchema(EXTERNAL_TEXTS.challengeExpiresAt),
  })
  .meta({ id: 'OwnershipChallenge', description: EXTERNAL_TEXTS.challenge })
