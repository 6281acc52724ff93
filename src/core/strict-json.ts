/** The value, or undefined when the text is not JSON, names a member twice (parsers differ on which one counts), or nests too deeply. */
export const parseStrictJson = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isShallow(value) && repeatedMember(text) === undefined ? value : undefined
}

/** The same for UTF-8. A byte order mark and ill-formed bytes are not JSON. */
export const parseStrictJsonBytes = (bytes: Uint8Array): unknown => {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_DEPTH = 32

const isShallow = (value: unknown, levels = MAX_DEPTH): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1)))

/** A name that one object of a JSON text has twice. A string before a colon is the name of a member of the innermost object. */
export const repeatedMember = (json: string): string | undefined => {
  const open: Set<string>[] = []
  for (const [token] of json.matchAll(/[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g)) {
    if (token === '{' || token === '[') {
      open.push(new Set())
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token.endsWith(':')) {
      const name: string = JSON.parse(token.slice(0, -1))
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}
