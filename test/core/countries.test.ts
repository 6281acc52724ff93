import { iso31661 } from 'iso-3166'
import { expect, it } from 'vitest'
import { COUNTRIES } from '#core/codes/countries.ts'

it('the countries are those that ISO 3166-1 assigns', () => {
  const assigned = iso31661.filter(({ state }) => state === 'assigned').map(({ alpha2 }) => alpha2)
  expect([...COUNTRIES].toSorted()).toEqual(assigned.toSorted())
})
