// What every stream of server-sent events needs.

/** Keeps proxies from holding messages back. */
export const STREAM_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' } as const

/** How long `EventSource` waits before it resumes. Random, so that the clients of a stopped process do not all reconnect at once. */
export const retryMs = () => 500 + Math.floor(Math.random() * 2_000)
