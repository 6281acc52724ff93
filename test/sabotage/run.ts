// Whether the tests see: takes one check at a time out of the verification of credentials, in a copy of the tree, and looks
// whether a test fails. Prints which one, and the checks that nobody missed.
//
//   npx tsx test/sabotage/run.ts              all, in some hours on two cores
//   npx tsx test/sabotage/run.ts otp limits   those of these files
//   --likely                                  asks only the tests that are listed with the check, not all the others after them
//   --unchecked                               takes it for granted that all tests pass without a sabotage
//
// Not part of CI. Run it in a worktree of a commit, not where somebody edits. It stops when a text is not found exactly once any more: then the list here is to follow the source.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { Checked } from './check.ts'
import { codes } from './codes.ts'
import { encodings } from './encodings.ts'
import { identities } from './identities.ts'
import { operations } from './operations.ts'
import { passkeys } from './passkeys.ts'
import { proofs } from './proofs.ts'
import { requests } from './requests.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const COPIED = ['src', 'test', 'dev', 'migrations', 'package.json', 'tsconfig.json', 'schema.prisma']
const CREDENTIAL_TESTS =
  /^(credential|delivery|hpke|identity|oidc|otp|passkey|sessions|signed-retry|stamps|tenant-keys)/

interface Sabotage {
  readonly title: string
  readonly file: string
  readonly text: string
  readonly replacement: string
  readonly alsoHeldBy: string | undefined
  readonly tests: readonly string[]
}

const sabotagesOf = ({ file, tests, checks }: Checked): Sabotage[] =>
  checks.map(([name, text, replacement, alsoHeldBy]) => ({
    title: `${file.slice(file.indexOf('/') + 1)}: ${name}`,
    file: `src/${file}.ts`,
    text,
    replacement,
    alsoHeldBy,
    tests,
  }))

const makeCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'sabotage-'))
  for (const name of COPIED) cpSync(join(project, name), join(copy, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  // Vitest's own notes stay in the copy, too.
  const config = readFileSync(join(project, 'vitest.config.ts'), 'utf8')
  writeFileSync(join(copy, 'vitest.config.ts'), config.replace('defineConfig({', "defineConfig({ cacheDir: '.vite',"))
  return copy
}

/** What is wrong with the list itself. */
const outdated = (copy: string, { title, file, text }: Sabotage): string[] => {
  const count = readFileSync(join(copy, file), 'utf8').split(text).length - 1
  return count === 1 ? [] : [`${title}: its text is there ${count} times\n    ${text}`]
}

const nameOf = ({ moduleId }: TestModule) => moduleId.slice(moduleId.lastIndexOf('/') + 1).replace('.test.ts', '')

/** What failed: a test of the module, its loading, or its end: what fails elsewhere breaks it off, sometimes before it is told. */
const failureOf = (module: TestModule): string | undefined => {
  const [test] = module.children.allTests('failed')
  if (test) return `${nameOf(module)}: ${test.fullName}`
  const state = module.state()
  if (state === 'failed') return `${nameOf(module)}: (does not load)`
  return state === 'passed' ? undefined : `${nameOf(module)}: (broken off)`
}

/** Tests first. */
const byTest = (one: string, other: string) => Number(one.endsWith(')')) - Number(other.endsWith(')'))

/** The first failure of each of these test files, until one has failed when `bail` is 1. */
const failures = async (vitest: Vitest, names: readonly string[], bail: 0 | 1): Promise<string[]> => {
  if (names.length === 0) return []
  const root = vitest.getRootProject()
  vitest.config.bail = bail
  root.config.bail = bail
  // What failed before does not count.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  vitest.state.errorsSet.clear()
  const specifications = names.map((name) => root.createSpecification(join(root.config.root, `test/${name}.test.ts`)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.flatMap((module) => failureOf(module) ?? []).toSorted(byTest)
  return failed.length === 0 && unhandledErrors.length > 0 ? ['(an error that no test handles)'] : failed
}

const given = process.argv.slice(2)
const isLikelyOnly = given.includes('--likely')
const isUnchecked = given.includes('--unchecked')
const words = given.filter((word) => !word.startsWith('--'))

const copy = makeCopy()
const survivors: string[] = []
let heldTwice = 0
const began = performance.now()
try {
  const all = [encodings, passkeys, identities, requests, codes, proofs, operations].flat().flatMap(sabotagesOf)
  const problems = all.flatMap((sabotage) => outdated(copy, sabotage))
  if (problems.length > 0) throw new Error(`The list does not fit the source:\n${problems.join('\n')}`)
  const sabotages = all.filter(({ title }) => words.length === 0 || words.some((word) => title.startsWith(word)))

  const vitest = await createVitest('test', {
    root: copy,
    config: join(copy, 'vitest.config.ts'),
    watch: false,
    reporters: [{}],
    // A busy machine is nothing that a test notices.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  })
  await vitest.standalone()
  const existing = readdirSync(join(copy, 'test'))
    .filter((name) => name.endsWith('.test.ts') && CREDENTIAL_TESTS.test(name))
    .map((name) => name.replace('.test.ts', ''))
  const needed = existing.filter((name) => !isLikelyOnly || sabotages.some(({ tests }) => tests.includes(name)))
  const failing = isUnchecked ? [] : await failures(vitest, needed, 0)
  for (const failure of failing) console.log(`Does not pass without any sabotage, and is left out: ${failure}`)
  const usable = needed.filter((name) => !failing.some((failure) => failure.startsWith(`${name}:`)))

  for (const { title, file, text, replacement, alsoHeldBy, tests } of sabotages) {
    const path = join(copy, file)
    const source = readFileSync(path, 'utf8')
    const write = (code: string) => {
      writeFileSync(path, code)
      vitest.invalidateFile(path)
    }
    const [first = [], ...likely] = tests.filter((name) => usable.includes(name)).map((name) => [name])
    const others = isLikelyOnly ? [] : usable.filter((name) => !tests.includes(name))
    write(source.replace(text, () => replacement))
    let noticed: string | undefined
    for (const names of [first, likely.flat(), others]) noticed ??= (await failures(vitest, names, 1))[0]
    write(source)
    if (noticed === undefined && alsoHeldBy) heldTwice++
    else if (noticed === undefined) survivors.push(title)
    console.log(`${title} → ${noticed ?? (alsoHeldBy ? `also held by ${alsoHeldBy}` : 'NOBODY')}`)
  }
  await vitest.close()
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const missed = sabotages.length - survivors.length - heldTwice
  console.log(
    `\n${sabotages.length} checks: ${missed} that a test misses, ${heldTwice} that are held twice, ${survivors.length} that nobody misses; ${minutes} minutes`,
  )
  for (const title of survivors) console.log(`  ${title}`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exit(survivors.length > 0 ? 1 : 0)
