/** `$name@domain`, perhaps with a port. The name has at most 64 characters, the domain 253. */
export const UMA_ADDRESS = /^\$[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/
