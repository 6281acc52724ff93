import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { type PostalAddress, postalAddress } from './profile/profile.ts'

const textOf = (name: keyof typeof postalAddress.shape) => ({
  description: String(postalAddress.shape[name].description),
})

export const PostalAddressType = builder.objectRef<PostalAddress>('PostalAddress').implement({
  description: 'A postal address.',
  fields: (t) => ({
    line1: t.exposeString('line1', { nullable: false, ...textOf('line1') }),
    line2: t.exposeString('line2', textOf('line2')),
    city: t.exposeString('city', textOf('city')),
    state: t.exposeString('state', textOf('state')),
    postalCode: t.exposeString('postalCode', { nullable: false, ...textOf('postalCode') }),
    country: t.exposeString('country', { nullable: false, ...textOf('country') }),
  }),
})

inputOf('PostalAddressInput', 'A postal address.', postalAddress)
