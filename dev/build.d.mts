/** The file of a module's bundle, which is made again after a change. */
export function bundleOf(directory: string, name: string): Promise<string>
