// The sandbox decides by the end of names and numbers (docs/domain/sandbox.md#magic-values).
import type { VerificationProvider } from '#verification/provider.ts'

/** The last three characters. */
const suffixOf = (value: string) => value.slice(-3)

export const sandboxProvider: VerificationProvider = {
  ownerStatus: ({ lastName }) => {
    const suffix = suffixOf(lastName)
    if (suffix === '001') return 'PENDING'
    return suffix === '002' ? 'REJECTED' : 'APPROVED'
  },
}
