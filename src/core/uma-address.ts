/** `$name@domain`, optionally with a port. The name has up to 64 characters, the domain up to 253. */
export const UMA_ADDRESS = /^\$[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/
