import { ApiError } from '#core/errors.ts'

/** `$name@domain`, optionally with a port. The name has up to 64 characters, the domain up to 253. */
export const UMA_ADDRESS = /^\$(?:[A-Za-z0-9._+]|-){1,64}@(?:[A-Za-z0-9.]|-){1,253}(:\d{1,5})?$/

/** The name with its `$`, and the domain, both in lower case: UMA addresses ignore case. */
export const partsOfUma = (address: string): { readonly name: string; readonly domain: string } => {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return { name, domain }
}

/** Throws 400 `INVALID_UMA_ADDRESS`. */
export const requireUmaAddress = (address: string, field: string): void => {
  if (UMA_ADDRESS.test(address)) return
  throw new ApiError('INVALID_UMA_ADDRESS', 'A UMA address has the form $name@domain', { field })
}
