// The settlement provider of each environment.
import { ENVIRONMENTS, type Environment } from '#core/caller.ts'
import { sandboxProvider } from '#settlement/sandbox/provider.ts'
import type { SettlementProvider } from './provider.ts'

/** Production has none yet: payments that have left the ledger stay `PROCESSING`, and real-time funding answers 501. */
const PROVIDERS: Readonly<Partial<Record<Environment, SettlementProvider>>> = { SANDBOX: sandboxProvider }

export const providerOf = (environment: Environment): SettlementProvider | undefined => PROVIDERS[environment]

export const SETTLED_ENVIRONMENTS = ENVIRONMENTS.filter((environment) => providerOf(environment))
