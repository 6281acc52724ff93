// Every code of the error catalog can occur: each has a scenario of real calls that end with it and with its HTTP status. A code without a
// scenario has a reason.
import { describe, expect, it } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '#core/errors.ts'
import { customers } from '#test/setup/error-codes/customers.ts'
import { institutions } from '#test/setup/error-codes/institutions.ts'
import { payments } from '#test/setup/error-codes/payments.ts'
import { requests } from '#test/setup/error-codes/requests.ts'
import { producedBy, type Scenario, type Unreachable } from '#test/setup/error-codes/scenario.ts'
import { ask } from '#test/setup/faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { createPlatform } from '#test/setup/world.ts'

useSettings({ umaAllowPrivate: true })

const AREAS = [requests, customers, payments, institutions]
const TABLE = { ...requests, ...customers, ...payments, ...institutions } satisfies Record<
  ErrorCode,
  Scenario | Unreachable
>
const entries = Object.entries(TABLE as Record<ErrorCode, Scenario | Unreachable>) as [
  ErrorCode,
  Scenario | Unreachable,
][]
const scenarios = entries.flatMap(([code, entry]) => (typeof entry === 'function' ? [[code, entry] as const] : []))
const unreachable = entries.flatMap(([code, entry]) => (typeof entry === 'function' ? [] : [[code, entry] as const]))

const produced = new Set<string>()

// Some scenarios wait for a deadline, so all run at once.
describe.concurrent('a call gets', () => {
  it.each(scenarios)('%s', async (code, scenario) => {
    const answer = await scenario()
    expect(producedBy(answer), JSON.stringify(answer.body)).toEqual({ status: ERROR_STATUS[code], code })
    produced.add(code)
  })
})

it('every code of the catalog has occurred, except for those with a reason', async () => {
  const { data } = await ask<{ errorCatalog: { code: string; status: number }[] }, never>(
    await createPlatform(['VIEW']),
    '{ errorCatalog { code status } }',
  )
  const excused = unreachable.map(([code]) => code as string)
  const missing = data.errorCatalog.map(({ code }) => code).filter((code) => !produced.has(code))
  expect(missing.toSorted()).toEqual(excused.toSorted())
  expect(produced.size + excused.length).toBe(data.errorCatalog.length)
  console.log(`codes ${data.errorCatalog.length}, got ${produced.size}; never: ${excused.join(' ')}`)
})

it('a code is in one area only, and a reason is a sentence', () => {
  const names = AREAS.flatMap((area) => Object.keys(area))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(unreachable.filter(([, { reason }]) => !/^[A-Z].{30,}\.$/.test(reason))).toEqual([])
})
