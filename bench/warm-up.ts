/** Compilers and caches need this long before a measurement. V8 goes on compiling for some ten thousand requests of a kind. */
export const WARM_UP_SECONDS = 20
