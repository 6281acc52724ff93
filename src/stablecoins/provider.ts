// The interface of a stablecoin provider, which issues and redeems tokens. It reports results through outcomes.ts.
import type { Tx } from '#database/unit-of-work.ts'
import type { OperationKey } from './outcomes.ts'

export interface ProviderCredentials {
  readonly apiClientId: string
  readonly apiClientSecret: string
}

/** The provider's answer about credentials: their account, or why they cannot be used. */
export type Verdict =
  | { readonly status: 'ACTIVE'; readonly providerAccountId: string }
  | { readonly status: 'INVALID' | 'REVOKED' }

export interface Token {
  readonly providerTokenIdentifier: string
  readonly networkTokenIdentifier: string
  readonly network: 'SPARK'
}

export interface StablecoinProvider {
  /** `providerAccountId` chooses among the accounts of the credentials. `wasVerified` says whether they were accepted before. */
  verify(
    credentials: ProviderCredentials,
    known: { readonly providerAccountId: string | null; readonly wasVerified: boolean },
  ): Promise<Verdict>
  /** Whether the account issues this token on this network. */
  issues(credentials: ProviderCredentials, providerAccountId: string, token: Token): Promise<boolean>
  /** Takes over a new operation. `tx` is the transaction that writes it: schedule the work as a job in it, and make no network calls here. */
  carry(tx: Tx, operation: OperationKey): Promise<void>
  /** Continues an operation that has not moved for too long, because its job was lost. May run more than once. */
  resume(operation: OperationKey): Promise<void>
}
