// Maps the lines of a stack from the bundle back to the source. Node's own option reads every source map at each start, which takes a
// quarter of a second. Most processes never need one.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/** A map takes 26 MB. Reading it takes a tenth of a second, so it is not read for each failure. */
const KEPT_MS = 60_000

const FRAME = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/
const maps = new Map<string, SourceMap | null>()

/** The map beside a file of the bundle, or null if there is none. */
const mapOf = (file: string): SourceMap | null => {
  const known = maps.get(file)
  if (known !== undefined) return known
  let map: SourceMap | null = null
  try {
    map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  } catch {
    // The failure is logged even if the map cannot be read.
  }
  maps.set(file, map)
  setTimeout(() => maps.delete(file), KEPT_MS).unref()
  return map
}

/** The frames of an error, with places in the source. Its message, which may contain user input that looks like frames, is left out. */
export const framesOf = ({ message, stack = '' }: Error): string[] => {
  const messageAt = stack.indexOf(message)
  if (messageAt < 0) return []
  return stack
    .slice(messageAt + message.length)
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .map(sourceLine)
}

/** The line of a stack with the file, line and column of the source, if a source map knows them. */
const sourceLine = (line: string): string =>
  line.replace(FRAME, (place, file: string, row: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(row) - 1, Number(column) - 1)
    // Code that esbuild itself adds has an entry without a source.
    if (!entry || !('originalSource' in entry) || entry.originalSource === undefined) return place
    const { href } = new URL(entry.originalSource, file)
    return `${href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
