// The README says where each area of the specification is, and which test covers it over both faces.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The areas that the specification names, in its order. */
const AREAS = [
  'Platform Configuration',
  'Customers',
  'Contact Verification',
  'Strong Customer Authentication (SCA)',
  'KYC/KYB Verifications and Documents',
  'Internal Accounts / External Accounts',
  'Same-Currency Transfers',
  'Cross-Currency Transfers',
  'Transactions',
  'Webhooks',
  'Invitations',
  'Sandbox',
  'API Tokens',
  'Exchange Rates',
  'Discoveries',
  'Embedded Wallet Auth',
  'Agent Management',
  'Agent Operations',
  'Cards',
  'Stablecoins',
] as const

const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

const rows = (/\| area \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '')
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .map(([, area = '', folders = '', stories = '']) => ({ area, folders: namesIn(folders), stories: namesIn(stories) }))

/** Tests of both faces say so: a table of faces, or the same question asked over each. */
const BOTH_FACES = /describe\.each\((?:\w*[fF]aces|\[REST, GRAPHQL\]|\[rest, graphql\])\)|the same over both faces/

it('the README has the areas of the specification', () => expect(rows.map(({ area }) => area)).toEqual([...AREAS]))

describe.each(rows)('$area', ({ folders, stories }) => {
  it('is in these folders', () => {
    expect(folders.length).toBeGreaterThan(0)
    expect(folders.filter((folder) => !folder.endsWith('/') || !existsSync(`src/${folder}`))).toEqual([])
  })

  it('has a story over both faces', () => {
    expect(stories.length).toBeGreaterThan(0)
    for (const story of stories) {
      const path = `test/${story}.test.ts`
      expect({ path, exists: existsSync(path) }).toEqual({ path, exists: true })
      expect({ path, isOverBoth: BOTH_FACES.test(readFileSync(path, 'utf8')) }).toEqual({ path, isOverBoth: true })
    }
  })
})
