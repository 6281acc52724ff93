// The verification provider of each environment.
import type { Environment } from '#core/caller.ts'
import type { VerificationProvider } from './provider.ts'
import { sandboxProvider } from './sandbox/provider.ts'

/** Production has none yet: its verifications and links answer 501. */
const PROVIDERS: Readonly<Partial<Record<Environment, VerificationProvider>>> = { SANDBOX: sandboxProvider }

export const verificationProviderOf = (environment: Environment): VerificationProvider | undefined =>
  PROVIDERS[environment]
