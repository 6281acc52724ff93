// What an agent asks for, in words.
import type { ActionRowFragment } from '../gql/graphql.ts'
import type { Amount, Flow } from '../parts/money.tsx'
import { actionName } from '../parts/words.ts'
import { nameOfAccount } from '../payments/party.ts'

export const agentName = ({ agent }: ActionRowFragment): string =>
  agent ? `${agent.name}${agent.isDeleted ? ' (deleted)' : ''}` : 'Unknown agent'

export const amountOf = ({ quote, transferDetails }: ActionRowFragment): Amount | null =>
  quote?.totalSending ?? transferDetails?.total ?? null

/** A transfer in takes money from the other account. */
export const flowOf = ({ actionType }: ActionRowFragment): Flow => (actionType === 'TRANSFER_IN' ? 'in' : 'out')

export const payeeOf = ({ quote, transferDetails, externalAccountId, customer }: ActionRowFragment): string => {
  const [name] = quote?.counterparty ?? []
  if (name) return name.value
  const destination = quote?.destination
  if (destination && 'umaAddress' in destination) return destination.umaAddress
  if (destination && 'account' in destination) return nameOfAccount(destination.account, customer?.id)
  if (transferDetails) return nameOfAccount(transferDetails.destinationAccount, customer?.id)
  return externalAccountId ? `…${externalAccountId.slice(-6)}` : ''
}

/** The external account that is paid or pays, if there is one. */
export const payeeIdOf = ({ quote, transferDetails, externalAccountId }: ActionRowFragment): string | null => {
  const destination = quote?.destination
  if (destination && 'accountId' in destination) return destination.accountId
  return transferDetails?.destinationAccount?.id ?? externalAccountId ?? null
}

export const titleOf = (action: ActionRowFragment) => `${actionName(action.actionType)} ${payeeOf(action)}`
