// The UMA addresses of the sandbox, on any domain. No institution is asked about them (docs/domain/sandbox.md#magic-values).

/** The currency that each address accepts. `UMA_RECEIVER_SCENARIOS` defines how payments to it end. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '$success.usd': 'USD',
  '$success.eur': 'EUR',
  '$success.mxn': 'MXN',
  '$pending.long.usd': 'USD',
  '$fail.compliance.usd': 'USD',
}

/** Undefined for every other address. */
export const sandboxAddress = (address: string): { readonly currency: string } | undefined => {
  const name = address.toLowerCase().split('@')[0] ?? ''
  const currency = Object.hasOwn(CURRENCIES, name) ? CURRENCIES[name] : undefined
  return currency === undefined ? undefined : { currency }
}
