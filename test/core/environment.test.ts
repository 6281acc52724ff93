// How environment variables are read.
import { expect, it } from 'vitest'
import { parseEnvironment } from '#core/environment.ts'

const RIGHT = { DATABASE_URL: 'postgresql://localhost/paygraph', MASTER_KEY: process.env['MASTER_KEY'] }

it.each(['', ' ', '\n'])('a variable that is %j counts as absent', (text) => {
  const { values } = parseEnvironment({ ...RIGHT, HOST: text, PORT: text, METRICS_PORT: text, STOP_DELAY_MS: text })
  expect(values).toMatchObject({ PORT: 4000, STOP_DELAY_MS: 1000 })
  expect([values?.HOST, values?.METRICS_PORT]).toEqual([undefined, undefined])
})
