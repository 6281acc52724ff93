// Secrets to search for in everything that the gateway logs, answers and stores. Importing this file captures the output of the process.
import { afterAll, expect } from 'vitest'
import { db } from '#database/db.ts'

/** The secrets, by kind. */
export const canaries = new Map<string, Set<string>>()

export const keep = (what: string, ...secrets: (string | null | undefined)[]) => {
  const kept = canaries.get(what) ?? new Set()
  canaries.set(what, kept)
  for (const secret of secrets) if (secret) kept.add(secret)
}

/** What the process has written to its output. */
export const written: string[] = []
const restore = [process.stdout, process.stderr].map((stream) => {
  const write = stream.write
  stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
    written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    return write.call(stream, chunk, ...rest)
  }) as typeof stream.write
  return () => {
    stream.write = write
  }
})
afterAll(() => {
  for (const undo of restore) undo()
})

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret, 'utf8')
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    JSON.stringify(secret).slice(1, -1),
  ]
}

/** Returns the number of secrets that it searched for. */
export const expectNoCanary = (where: string, text: string): number => {
  let looked = 0
  const hits: string[] = []
  for (const [what, secrets] of canaries) {
    for (const secret of secrets) {
      looked += 1
      if (formsOf(secret).some((form) => text.includes(form))) hits.push(`${what} in ${where}`)
    }
  }
  expect(hits).toEqual([])
  return looked
}

/** Searches every row of every table as text, with bytes in hex. `except` names kinds of secrets that may be stored. */
export const hitsInDatabase = async (except: readonly string[] = []): Promise<string[]> => {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const hits: string[] = []
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(`select t::text as row from "${name}" t`)
    const text = rows.map(({ row }) => row).join('\n')
    for (const [what, secrets] of canaries) {
      if (except.includes(what)) continue
      for (const secret of secrets) {
        if (formsOf(secret).some((form) => text.includes(form))) hits.push(`${what} in ${name}`)
      }
    }
  }
  return hits
}
