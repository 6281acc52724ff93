// Ids for the examples in the contract. They belong to customers of the demo data, so the examples run against the demo as they are.

export const ADA = {
  customerId: 'Customer:671807f8-9a23-7cff-a16e-a5c662c6fe02',
  dollars: 'InternalAccount:5533d10c-5618-7fb5-928b-689099c82e4d',
  wallet: 'InternalAccount:573ccdb6-6c1f-7c42-8b6c-83384aac62c9',
  /** A US bank account that can be debited. */
  dollarsOutside: 'ExternalAccount:906f2146-16cd-7ad7-ab92-299fce1cf0ce',
  eurosOutside: 'ExternalAccount:3941c6af-f6af-7579-929b-7b0214201417',
} as const

/** A business whose verification is pending: Lagos Textile Works. */
export const TEXTILE = { customerId: 'Customer:acacad4e-9878-7558-93e4-ce3e5656550d' } as const

/** The compressed generator point of P-256. It is a valid point on the curve, and nobody would use it as a real key. */
export const PUBLIC_KEY = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'

/** A well-formed bundle. A real one is longer. */
export const OTP_BUNDLE = JSON.stringify({
  encappedPublic:
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  ciphertext: '5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f',
})
