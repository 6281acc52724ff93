/**
 * The value, or undefined if the text is not JSON, nests too deeply, holds more than 10,000 lists and objects, has an object of more than
 * 1,000 members, or repeats a member name (parsers disagree on which one wins).
 */
export const parseStrictJson = (text: string): unknown => {
  const { depth, count } = nestingOf(text)
  if (depth > MAX_DEPTH || count > MAX_LISTS_AND_OBJECTS) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return memberProblem(text) === undefined ? value : undefined
}

/** Like `parseStrictJson`, for UTF-8 bytes. A byte order mark or malformed bytes give undefined. */
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

/** The most lists and objects that one text may hold. Their garbage costs more than linear time to collect. */
export const MAX_LISTS_AND_OBJECTS = 10_000

/**
 * How many levels the lists and objects of a text nest, and how many there are. Counts the brackets outside of strings, so that a text can
 * be rejected before it is parsed: thousands of levels take more than linear time to parse.
 */
export const nestingOf = (json: string): { readonly depth: number; readonly count: number } => {
  let [depth, deepest, count] = [0, 0, 0]
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') isInString = !isInString
    else if (isInString && character === '\\') at += 1
    else if (!isInString && (character === '{' || character === '[')) {
      depth += 1
      count += 1
      if (depth > deepest) deepest = depth
    } else if (!isInString && (character === '}' || character === ']')) depth -= 1
  }
  return { depth: deepest, count }
}

/** The most members that one object may have: the time to parse and compare names grows faster than their number. */
export const MAX_MEMBERS = 1_000

type MemberProblem = { readonly repeated: string } | 'TOO_MANY'

/** The first problem with the members of an object. Expects valid JSON. A string before a colon is a member name of the innermost object. */
export const memberProblem = (json: string): MemberProblem | undefined => {
  // Lists have no member names.
  const open: (Set<string> | undefined)[] = []
  for (const [token] of json.matchAll(/[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined)
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token.endsWith(':')) {
      const name: string = JSON.parse(token.slice(0, -1))
      const names = open.at(-1)
      if (names?.has(name)) return { repeated: name }
      names?.add(name)
      if (names && names.size > MAX_MEMBERS) return 'TOO_MANY'
    }
  }
  return undefined
}
