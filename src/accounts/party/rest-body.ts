// `source` and `destination` as the specification writes them, from the columns of a quote or a transaction.

import type { PaymentRail } from '#accounts/payment-rail.ts'
import type { AnyRecord } from '#database/record.ts'
import {
  byLabel,
  constant,
  firstOf,
  ifAll,
  jsonAt,
  merged,
  object,
  type Part,
  placeIn,
  publicIdAt,
  required,
  textAt,
} from '#rest/parts.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { FundingDetails, OnChainTransaction } from './party.ts'
import type { destinationSchema, sourceSchema } from './rest-schema.ts'

interface SourceNames {
  readonly currency: string
  readonly customerId: string
}

/** Absent while the source is not known. */
export const sourcePart = (record: AnyRecord, names: SourceNames): Part<BodyOf<typeof sourceSchema> | undefined> => {
  const currency = textAt(placeIn(record, names.currency))
  const customerId = publicIdAt('Customer', placeIn(record, names.customerId))
  const onChainTransaction = onChainPart(record, 'source')
  return byLabel(placeIn(record, 'sourceType'), {
    ACCOUNT: object({
      sourceType: constant('ACCOUNT'),
      accountId: accountPart(record, 'source'),
      customerId,
      currency,
      onChainTransaction,
    }),
    UMA_ADDRESS: object({
      sourceType: constant('UMA_ADDRESS'),
      umaAddress: required(textAt(placeIn(record, 'sourceUmaAddress'))),
      currency,
    }),
    REALTIME_FUNDING: merged(
      object({
        sourceType: constant('REALTIME_FUNDING'),
        currency: required(currency),
        customerId,
        onChainTransaction,
      }),
      jsonAt<FundingDetails>(placeIn(record, 'sourceFunding')),
    ),
  })
}

export const destinationPart = (
  record: AnyRecord,
  names: Pick<SourceNames, 'currency'>,
): Part<BodyOf<typeof destinationSchema>> => {
  const currency = textAt(placeIn(record, names.currency))
  return required(
    byLabel(placeIn(record, 'destinationType'), {
      ACCOUNT: object({
        destinationType: constant('ACCOUNT'),
        accountId: accountPart(record, 'destination'),
        currency,
        paymentRail: textAt(placeIn(record, 'destinationPaymentRail')) as Part<PaymentRail | undefined>,
        onChainTransaction: onChainPart(record, 'destination'),
      }),
      UMA_ADDRESS: object({
        destinationType: constant('UMA_ADDRESS'),
        umaAddress: required(textAt(placeIn(record, 'destinationUmaAddress'))),
        currency,
      }),
    }),
  )
}

type Side = 'source' | 'destination'

/** A CHECK constraint ensures that exactly one is set. */
const accountPart = (record: AnyRecord, side: Side) =>
  required(
    firstOf(
      publicIdAt('InternalAccount', placeIn(record, `${side}InternalAccountId`)),
      publicIdAt('ExternalAccount', placeIn(record, `${side}ExternalAccountId`)),
    ),
  )

const onChainPart = (record: AnyRecord, side: Side): Part<OnChainTransaction | undefined> => {
  const [hash, network] = [placeIn(record, `${side}TransactionHash`), placeIn(record, `${side}Network`)]
  return ifAll([hash, network], object({ transactionHash: required(textAt(hash)), network: required(textAt(network)) }))
}
