/** `$name@domain`, optionally with a port. The name has up to 64 characters, the domain up to 253. */
export const UMA_ADDRESS = /^\$[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/

/** The name with its `$`, and the domain, both in lower case: UMA addresses ignore case. */
export const partsOfUma = (address: string): { readonly name: string; readonly domain: string } => {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return { name, domain }
}
