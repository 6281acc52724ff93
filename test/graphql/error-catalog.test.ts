// The catalog of errors that clients can read.
import { expect, it } from 'vitest'
import { ERROR_STATUS } from '#core/errors.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'

interface Entry {
  readonly code: string
  readonly status: number
  readonly retryable: boolean
  readonly meaning: string
}

it('the catalog has every code once, with its HTTP status', async () => {
  const platform = await createPlatform(['VIEW'])
  const { data } = await ask<{ errorCatalog: Entry[] }, never>(
    platform,
    '{ errorCatalog { code status retryable meaning } }',
  )
  expect(Object.fromEntries(data.errorCatalog.map(({ code, status }) => [code, status]))).toEqual(ERROR_STATUS)
  expect(data.errorCatalog.filter(({ meaning }) => meaning.length < 10)).toEqual([])
  const retryable = data.errorCatalog.filter((entry) => entry.retryable)
  expect(retryable.map(({ code }) => code)).toEqual(expect.arrayContaining(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']))
  // An error that the caller must fix is never retryable.
  expect(retryable.filter(({ status }) => [401, 403, 404, 409].includes(status))).toEqual([])
  console.log(`${data.errorCatalog.length} codes, ${retryable.length} retryable`)
})

it('the error for a page size above the limit names the limit', async () => {
  const platform = await createPlatform(['VIEW'])
  for (const size of ['first: 101', 'last: 0']) {
    const { errors } = await ask(platform, `{ transactions(${size}) { totalCount } }`)
    expect(errors?.map(({ extensions }) => [extensions.code, extensions.details])).toEqual([
      [
        'INVALID_INPUT',
        expect.objectContaining({ field: size.split(':')[0], constraint: { minimum: 1, maximum: 100 } }),
      ],
    ])
  }
})
