import type { Plugin } from 'esbuild'

/** The file of a module's bundle, which is made again after a change. */
export function bundleOf(directory: string, name: string): Promise<string>

/** Leaves out what the gateway does not use of some packages. */
export const onlyWhatIsUsed: Plugin
