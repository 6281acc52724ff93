// Hostile input costs at most linear time and memory in its size, in every place that takes text, and in any shape.
// Own process: needs an event loop without other work.
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pool } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { documentPlaces } from '#test/setup/hostile/documents.ts'
import { addressPlaces, envelopePlaces, headerPlaces } from '#test/setup/hostile/frames.ts'
import { graphqlInputs, restInputs } from '#test/setup/hostile/operations.ts'
import type { HostilePlace } from '#test/setup/hostile/places.ts'
import { KB, MOST_AT_TWICE_THE_SIZE, type Outcome, Trial } from '#test/setup/hostile/trial.ts'
import { createCrawled } from '#test/setup/places/crawled-platforms.ts'
import { findFitting } from '#test/setup/places/graphql-places.ts'

const IS_FULL = process.env['LINEAR'] === 'full'
/** `LINEAR_PLACES='redeem|comment'` tries only matching places, each with every shape. */
const PLACES = process.env['LINEAR_PLACES'] ?? ''

/**
 * In CI the sizes are few, and each place gets one shape. The next place gets the next one. With `LINEAR_SHAPES=12` each place gets twelve
 * shapes. The full campaign, which tries every shape in every place, takes an hour.
 */
const SHAPES_OF_A_PLACE = Number(process.env['LINEAR_SHAPES'] ?? (IS_FULL || PLACES ? Infinity : 1))
const SIZES = IS_FULL
  ? {
      // Below 64 KB no shape costs more than noise.
      body: [64, 128, 256].map((size) => size * KB),
      headers: [1, 2, 4, 8, 16, 32].map((size) => size * KB),
      introspection: [130, 260, 520, 1_040, 2_080],
    }
  : { body: [8 * KB, 128 * KB], headers: [1 * KB, 8 * KB], introspection: [130, 520] }

/** A shape that stops the gateway in this number of places is not tried in others. */
const STOPS_OF_A_SHAPE = 3
const LONGEST_LOG_LINE = 4 * KB

/** In CI the inputs of operations, which share their parsing, are tried at about this number of places, spread evenly. */
const OPERATIONS_SAMPLED = 45

/** The places are divided among them. */
let trials: Trial[]
let caller: string
let places: readonly HostilePlace[]
const outcomes: Outcome[] = []

beforeAll(async () => {
  const world = await createCrawled('world')
  caller = basic(world.platform)
  const frames = [null, caller].flatMap((authorization) =>
    [envelopePlaces, documentPlaces, headerPlaces, addressPlaces]
      .flatMap((placesOf) => placesOf(authorization))
      .map((place) => ({ ...place, name: `${place.name}, ${authorization === null ? 'by nobody' : 'by a platform'}` })),
  )
  const isFull = IS_FULL || PLACES !== ''
  const operations = [...graphqlInputs(world, await findFitting(world)), ...restInputs(world, isFull)]
  const whole = operations.filter(({ isAlwaysWhole }) => isAlwaysWhole)
  const alike = operations.filter(({ isAlwaysWhole }) => !isAlwaysWhole)
  const step = isFull ? 1 : Math.ceil(alike.length / OPERATIONS_SAMPLED)
  const sampled = alike.filter((_, at) => at % step === 0)
  places = [...frames, ...whole, ...sampled].filter(({ name }) => new RegExp(PLACES).test(name))
  trials = await Promise.all(Array.from({ length: IS_FULL ? availableParallelism() : 1 }, () => Trial.start()))
}, 300_000)
afterAll(() => Promise.all(trials.map(({ gateway }) => gateway.kill())))

it('input of twice the size costs at most 2.5 times the CPU time', { timeout: 5 * 3_600_000 }, async () => {
  const stops = new Map<string, number>()
  const suspects: [at: number, again: () => Promise<Outcome>][] = []
  const left = places.values()
  let next = 0
  const tryPlaces = async (trial: Trial) => {
    await trial.warmUp(places, caller)
    for (const place of left) {
      const count = Math.min(place.shapes.length, place.isAlwaysWhole ? Infinity : SHAPES_OF_A_PLACE)
      const first = next
      next += count
      for (let tried = 0; tried < count; tried++) {
        const [shape, make] = place.shapes[(first + tried) % place.shapes.length] ?? never()
        if ((stops.get(shape) ?? 0) >= STOPS_OF_A_SHAPE) continue
        const run = () => trial.run(place, shape, make, SIZES[place.limit ?? 'body'])
        const outcome = await run()
        if (isTooMuch(outcome)) {
          console.log(lineOf(outcome))
          suspects.push([outcomes.length, run])
        }
        outcomes.push(outcome)
        if (outcome.ratio === Infinity) stops.set(shape, (stops.get(shape) ?? 0) + 1)
      }
      await forgetTries()
    }
  }
  await Promise.all(trials.map(tryPlaces))
  // The collection of garbage may slow down the same request for a while, but not for ever.
  for (const [at, again] of suspects) {
    const [outcome, repeated] = [outcomes[at] ?? never(), await again()]
    if (repeated.ratio < outcome.ratio) outcomes[at] = repeated
  }
  console.log(`${suspects.length} inputs tried again at the end`)
  report()
  expect(outcomes.filter(isTooMuch).map(lineOf)).toEqual([])
  expect(outcomes.length).toBeGreaterThan(places.length / 2)
})

it('no response is longer than 64 KB, or than 10 times the request if it was accepted', () => {
  expect(outcomes.flatMap(({ place, shape, tooLong }) => (tooLong ? [`${place}: ${shape}: ${tooLong}`] : []))).toEqual(
    [],
  )
})

it('memory returns to within 20 % afterwards', async () => {
  for (const { gateway, memoryBefore } of trials) {
    const { milliseconds, memory } = await gateway.use('memory')
    const [before, after] = [memoryBefore, memory].map((bytes) => Math.round(bytes / 2 ** 20))
    console.log(`${before} MB before, ${after} MB after ${(milliseconds / 1_000).toFixed(0)} s of CPU time`)
    expect(memory).toBeLessThan(memoryBefore * 1.2)
  }
})

it('no log line is as long as the input', () => {
  const lines = trials.flatMap(({ gateway }) => gateway.log().split('\n'))
  expect(lines.filter(({ length }) => length >= LONGEST_LOG_LINE)).toEqual([])
})

/** Resets limits, which are per credential and address: otherwise most calls would soon hit one. */
const forgetTries = () =>
  pool.query(`with forgotten as (delete from device_code_redeems)
    update auth_methods set challenge_times = '{}', failure_times = '{}'`)

const never = (): never => {
  throw new Error('A place without shapes')
}

const isTooMuch = ({ ratio }: Outcome) => ratio > MOST_AT_TWICE_THE_SIZE

const lineOf = ({ place, shape, ratio, at, largestMs, largestRefusal }: Outcome) =>
  `${ratio.toFixed(2).padStart(8)} ${largestMs.toFixed(1).padStart(8)} ms ${String(largestRefusal).padStart(7)} B  ${place}: ${shape} (${at})`

const report = () => {
  const worst = (count: number, of: readonly Outcome[], figure: 'ratio' | 'largestMs' | 'largestRefusal') =>
    of.toSorted((one, other) => other[figure] - one[figure]).slice(0, count)
  const ofPlace = (name: string) =>
    worst(
      1,
      outcomes.filter(({ place }) => place === name),
      'ratio',
    )
  const figures = (['ratio', 'largestMs', 'largestRefusal'] as const).flatMap((figure) => [
    `The largest ${figure}:`,
    ...worst(12, outcomes, figure).map(lineOf),
  ])
  const each = IS_FULL ? ['Of each place the worst:', ...places.flatMap(({ name }) => ofPlace(name)).map(lineOf)] : []
  console.log(
    [
      `${places.length} places, ${outcomes.length} inputs, ${trials.reduce((sum, { requests }) => sum + requests, 0)} requests`,
      ...figures,
      ...each,
    ].join('\n'),
  )
}
