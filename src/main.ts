// The entry point in production. Sets up the cache of compiled code before it loads anything else.
import { fileURLToPath } from 'node:url'
import { useCompileCache } from '#core/compile-cache.ts'

useCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)))
await import('./command-line.ts')
