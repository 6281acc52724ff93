// What an institution publishes about itself. The library's own form of the keys has the signing chain twice.
import { derOf, type Institution } from '#uma/own-keys.ts'
import { MAJOR_VERSION } from '#uma/wire.ts'

const GOOD_FOR_SECONDS = 300

/** The certificate chains as DER in hexadecimal, the leaf first. */
export const publicKeysOf = ({ signingChain, encryptionChain }: Institution) => ({
  signingCertChain: derOf(signingChain),
  encryptionCertChain: derOf(encryptionChain),
  expirationTimestamp: Math.floor(Date.now() / 1_000) + GOOD_FOR_SECONDS,
})

export const configurationOf = ({ name }: Institution) => ({ name, uma_major_versions: [MAJOR_VERSION] })
