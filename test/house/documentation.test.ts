// The pages of the documentation agree with the code: citations and links lead to headings, tables are complete, and marks are not stale.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { ACCOUNT_TYPES } from '#accounts/account-info.ts'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { ERROR_STATUS } from '#core/errors.ts'
import { SANDBOX_RATES } from '#quotes/rates/rate.ts'

const files = (folder: string, name: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => name.test(path) && !/^src\/generated\/|node_modules/.test(path))

const pages = ['README.md', ...files('docs', /\.md$/)]
const code = ['src', 'dev', 'test', 'bench', 'migrations'].flatMap((folder) =>
  files(folder, /\.(ts|mjs|html|graphql|json|sql)$/).filter((path) => !path.endsWith('documentation.test.ts')),
)
const read = (path: string) => readFileSync(path, 'utf8')

/** The anchors of a page's headings as GitHub names them. Code blocks have none. */
const anchorsOf = (path: string) =>
  read(path)
    .replaceAll(/^```.*?^```/gms, '')
    .split('\n')
    .flatMap((line) => /^#+ (.+)$/.exec(line)?.[1] ?? [])
    .map((heading) => heading.toLowerCase().replaceAll(/[^a-z\d _-]/g, ''))
    .map((heading) => heading.replaceAll(' ', '-'))

const anchors = new Map(pages.map((path) => [path, anchorsOf(path)]))

/** Why the target, `page.md` or `page.md#heading`, does not exist. */
const problemOf = (target: string): string | undefined => {
  const [page = '', heading] = target.split('#')
  const headings = anchors.get(page)
  if (!headings) return 'no such page'
  return heading === undefined || headings.includes(heading) ? undefined : 'no such heading'
}

const everyMatch = (paths: readonly string[], pattern: RegExp) =>
  paths.flatMap((path) => [...read(path).matchAll(pattern)].map((match) => ({ path, text: match[1] ?? match[0] })))

it('every rule cited in the code is a heading of a page', () => {
  const citations = everyMatch([...code, ...pages], /\bdocs\/domain[\w/-]*(?:\.md)?(?:#[\w-]+)?/g)
  const isVague = (path: string, text: string) => code.includes(path) && !text.includes('#')
  const astray = citations.filter(({ path, text }) => isVague(path, text) || problemOf(text) !== undefined)
  expect(citations.length).toBeGreaterThan(40)
  expect(astray).toEqual([])
})

it('no comment cites a rule by paragraph number', () => {
  expect(everyMatch(code, /domain\s+reference.*|\b[Ss]ections?\s\d.*/g)).toEqual([])
})

it('every link between pages leads to a heading', () => {
  const links = everyMatch(pages, /\]\((?!https?:)([^)\s]+)\)/g).map(({ path, text }) => ({
    path,
    text,
    target: text.startsWith('#') ? path + text : normalize(join(dirname(path), text)),
  }))
  const astray = links.filter(({ target }) => problemOf(target) !== undefined)
  expect(links.length).toBeGreaterThan(20)
  expect(astray).toEqual([])
})

it('no line of an indented block has lost its indentation', () => {
  const torn = pages.flatMap((path) =>
    [...read(path).matchAll(/\n\n(?: {4}|\t)[^-\d\s].*\n(\S.*)/g)].map((match) => ({ path, line: match[1] })),
  )
  expect(torn).toEqual([])
})

it('no two headings of a page have the same anchor', () => {
  const repeated = [...anchors].flatMap(([path, all]) =>
    all.filter((anchor, index) => all.indexOf(anchor) !== index).map((anchor) => `${path}#${anchor}`),
  )
  expect(repeated).toEqual([])
})

it('the index lists every page', () => {
  const index = read('docs/domain.md')
  expect(files('docs/domain', /\.md$/).filter((path) => !index.includes(`(${path.slice('docs/'.length)})`))).toEqual([])
})

/** The cells of the table below a heading, row by row. */
const rowsBelow = (path: string, heading: string) =>
  (read(path).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Code|Type) \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1))

it('the table of errors has every code with its status', () => {
  const rows = rowsBelow('docs/domain/errors.md', 'Error codes').map(([name, status]) => [name, Number(status)])
  expect(rows).toEqual(Object.entries(ERROR_STATUS))
})

it('the table of account types has every type once', () => {
  const rows = rowsBelow('docs/domain/account-types.md', 'Table of account types')
  expect(rows.map(([name]) => name?.split(' ')[0]).sort()).toEqual([...ACCOUNT_TYPES].sort())
})

it('the table of currencies matches the source', () => {
  const rows = rowsBelow('docs/domain/money-and-ids.md', 'Currencies')
    .flatMap((row) => [row.slice(0, 5), row.slice(6, 11)])
    .map(([code, name, symbol, decimals, perDollar]) => ({ code, name, symbol, decimals: Number(decimals), perDollar }))
  const rates = Object.entries(SANDBOX_RATES)
  const sources = [...CURRENCIES.values()].map((currency) => ({
    ...currency,
    perDollar: rates.flatMap(([code, scaled]) => (code === currency.code ? String(Number(scaled) / 1e8) : [])).join(),
  }))
  const inOrder = <T extends { readonly code: string | undefined }>(list: T[]) =>
    list.sort((one, other) => (`${one.code}` < `${other.code}` ? -1 : 1))
  expect(inOrder(rows)).toEqual(inOrder(sources))
})

const MARK = '**Not built yet**'

const contract: { paths: Record<string, object> } = JSON.parse(read('src/rest/openapi.json'))
const withoutNames = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
const built = new Set(
  Object.entries(contract.paths).flatMap(([path, methods]) => {
    const name = withoutNames(path)
    return [name, ...Object.keys(methods).map((method) => `${method.toUpperCase()} ${name}`)]
  }),
)

/**
 * The parts of a page that carry the mark: the page, if everything on it does; a section that begins with it; otherwise a paragraph, an
 * item of a list or a row of a table, with the list or table that it introduces.
 */
const markedParts = (page: string): readonly string[] => {
  if (page.includes(`Everything on this page is ${MARK}`)) return [page]
  return page.split(/^## /m).flatMap((section) => {
    const [, ...blocks] = section.split('\n\n')
    if (blocks[0]?.startsWith(`${MARK}.`)) return [section]
    return blocks.flatMap((block, at) => {
      const isMarked = blocks[at - 1]?.endsWith(`${MARK}:`)
      return isMarked ? [block] : block.split(/\n(?=[-|] )/).filter((part) => part.includes(MARK))
    })
  })
}

/** The operations that a text names in code: with their method, or as a path alone. */
const operationsIn = (text: string) =>
  [...text.matchAll(/`(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[\w/{}-]+)/g)].map(([, method, path = '']) =>
    [method, withoutNames(path)].filter(Boolean).join(' '),
  )

it('no operation of the REST contract is marked as not built', () => {
  const marked = files('docs/domain', /\.md$/).flatMap((path) =>
    markedParts(read(path)).flatMap((part) => operationsIn(part).map((operation) => ({ path, operation }))),
  )
  expect(marked.filter(({ operation }) => built.has(operation))).toEqual([])
})
