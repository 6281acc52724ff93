/** Marks the requests that the service sends to platforms, so that it can refuse those that come back to it. */
export const HOP_HEADER = 'x-service-hop'
