// The library of the protocol. It is loaded at its first use, because it takes a fifth of a second and 17 MB.
export type * as Uma from '@uma-sdk/core'

export const sdk = () => import('@uma-sdk/core')
