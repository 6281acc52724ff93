// `source` and `destination` as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Destination, Source } from './party.ts'
import type { destinationSchema, sourceSchema } from './rest-schema.ts'

export const sourceBody = (source: Source): BodyOf<typeof sourceSchema> => {
  switch (source.sourceType) {
    case 'ACCOUNT':
      return {
        sourceType: source.sourceType,
        accountId: publicId(source.account.kind, source.account.id),
        customerId: customerBody(source.customerId),
        currency: present(source.currency),
        onChainTransaction: present(source.onChainTransaction),
      }
    case 'UMA_ADDRESS':
      return { sourceType: source.sourceType, umaAddress: source.umaAddress, currency: present(source.currency) }
    case 'REALTIME_FUNDING':
      return {
        sourceType: source.sourceType,
        currency: present(source.currency),
        customerId: customerBody(source.customerId),
        ...source.funding,
        onChainTransaction: present(source.onChainTransaction),
      }
  }
}

export const destinationBody = (destination: Destination): BodyOf<typeof destinationSchema> =>
  destination.destinationType === 'ACCOUNT'
    ? {
        destinationType: destination.destinationType,
        accountId: publicId(destination.account.kind, destination.account.id),
        currency: present(destination.currency),
        paymentRail: present(destination.paymentRail),
        onChainTransaction: present(destination.onChainTransaction),
      }
    : {
        destinationType: destination.destinationType,
        umaAddress: destination.umaAddress,
        currency: present(destination.currency),
      }

const customerBody = (customerId: string | null) => (customerId === null ? undefined : publicId('Customer', customerId))

const present = <T>(value: T | null) => value ?? undefined
