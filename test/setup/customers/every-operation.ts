// Every operation of customers over REST, each with success.
import { expect } from 'vitest'
import { rest } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'
import { customerFaces } from './customer-faces.ts'

export const useEveryCustomerOperation = async (): Promise<void> => {
  const face = customerFaces.find(({ name }) => name === 'REST')
  if (!face) throw new Error('No face')
  const platform = await createPlatform()
  const { body } = await face.create(platform, {
    customerType: 'BUSINESS',
    address: { line1: '1 Main St', postalCode: '62701', country: 'US' },
    businessInfo: { legalName: 'Acme', incorporatedOn: '2020-01-31', taxId: '12-3456789', country: 'US' },
    currencies: ['USD'],
  })
  await face.update(platform, body.id, {
    customerType: 'BUSINESS',
    businessInfo: { naicsCode: '5415' },
    region: null,
  })
  await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', currencies: ['USDC'] })
  await face.create(platform, { customerType: 'INDIVIDUAL', currencies: ['EUR'] })
  await face.remove(platform, body.id)
  await face.remove(platform, body.id)
  expect((await rest(platform, '/customers/end-user-terms')).body).toEqual({
    version: '2',
    url: 'https://terms.example/2',
  })
}
