// The frames of an error in the bundle, as the log shows them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { framesOf } from '#core/source-lines.ts'

let folder: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  folder = await mkdtemp(join(tmpdir(), 'paygraph-map-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

const framesIn = (frame: string, message = 'Broken') =>
  framesOf(Object.assign(new Error(message), { stack: `Error: ${message}\n${frame}\n    at node:internal/timers:1:1` }))

/** A map of one position, the first of the file. */
const writeMap = (source: string) =>
  writeFile(join(folder, 'main.js.map'), JSON.stringify({ version: 3, names: [], sources: [source], mappings: 'AAAA' }))

it('a source map is read for the first failure, and is not kept in memory for longer than a minute', async () => {
  const bundle = pathToFileURL(folder)
  const first = () => framesIn(`    at start (${bundle}/main.js:1:1)`)[0]
  await writeMap('first.ts')
  expect(first()).toBe(`    at start (${bundle}/first.ts:1:1)`)
  await writeMap('second.ts')
  vi.advanceTimersByTime(59_000)
  expect(first()).toBe(`    at start (${bundle}/first.ts:1:1)`)
  vi.advanceTimersByTime(1_000)
  expect(first()).toBe(`    at start (${bundle}/second.ts:1:1)`)
})

it('a line of the bundle without a source stays as it is', async () => {
  const line = `    at start (${pathToFileURL(folder)}/main.js:1:1)`
  await writeFile(
    join(folder, 'main.js.map'),
    JSON.stringify({ version: 3, names: [], sources: ['first.ts'], mappings: 'A,CAAA' }),
  )
  expect(framesIn(line)[0]).toBe(line)
})

it('a message that looks like frames is left out', () => {
  const secret = '    at secret (file:///secret.js:1:1)'
  expect(framesIn('    at start (file:///main.js:1:1)', `Broken\n${secret}`)).toEqual([
    '    at start (file:///main.js:1:1)',
    '    at node:internal/timers:1:1',
  ])
  const changed = Object.assign(new Error('Changed'), {
    stack: `Error: Broken\n${secret}\n    at start (file:///main.js:1:1)`,
  })
  expect(framesOf(changed)).toEqual([])
})
