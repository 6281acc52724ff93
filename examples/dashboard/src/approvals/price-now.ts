// What a request whose price has expired would take and deliver now. The gateway prices it again when it is approved.
import { useCallback } from 'react'
import { useClient } from 'urql'
import { type ActionRowFragment, PriceNowDocument, type PriceNowQuery } from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import type { Failure } from '../graphql/failure.ts'
import { useScreen } from '../graphql/use-screen.ts'
import type { Amount } from '../parts/money.tsx'

type Quote = NonNullable<ActionRowFragment['quote']>
export type Price = NonNullable<PriceNowQuery['exchangeRates']>[number]

/** A change beyond this is shown before anything is approved. */
const NOTABLE = 0.005

export interface PriceNow {
  readonly price: Price | undefined
  /** What leaves and what arrives now. Undefined for the side that is priced again, until its price is known. */
  readonly leaves: Amount | undefined
  readonly arrives: Amount | undefined
  readonly failure: Failure | undefined
  /** Asks again. True if noticeably more would leave, or less would arrive, than was shown. */
  readonly hasMoved: () => Promise<boolean>
}

const NONE = { from: '', to: [], sending: null, receiving: null }

export const usePriceNow = (quote: Quote | null | undefined, hasEnded: boolean): PriceNow => {
  const client = useClient()
  const isNeeded = quote !== null && quote !== undefined && hasEnded && isExchanged(quote)
  const variables = isNeeded ? variablesOf(quote) : NONE
  const { data, failure } = useScreen(PriceNowDocument, variables, { pause: !isNeeded })
  const price = isNeeded ? priceOf(data, quote) : undefined
  const hasMoved = useCallback(async () => {
    if (!isNeeded) return false
    const now = await client
      .query(documentOf(PriceNowDocument), variablesOf(quote), { requestPolicy: 'network-only' })
      .toPromise()
    const next = priceOf(now.data, quote)
    // The gateway keeps to the tolerance of the policy in any case.
    return (
      next !== undefined &&
      price !== undefined &&
      (next.sending.amount > price.sending.amount * (1 + NOTABLE) ||
        next.receiving.amount < price.receiving.amount * (1 - NOTABLE))
    )
  }, [client, isNeeded, price, quote])
  const isOpen = (side: Quote['lockedCurrencySide']) => isNeeded && quote.lockedCurrencySide !== side
  return {
    price,
    leaves: price?.sending ?? (isOpen('SENDING') ? undefined : quote?.totalSending),
    arrives: price?.receiving ?? (isOpen('RECEIVING') ? undefined : quote?.totalReceiving),
    failure,
    hasMoved,
  }
}

export const isExchanged = ({ totalSending, totalReceiving }: Quote) =>
  totalSending.currency.code !== totalReceiving.currency.code

/** The amount of the locked side stays, as when the gateway prices the quote again. */
const variablesOf = ({ lockedCurrencySide, totalSending, totalReceiving }: Quote) => ({
  from: totalSending.currency.code,
  to: [totalReceiving.currency.code],
  sending: lockedCurrencySide === 'SENDING' ? totalSending.amount : null,
  receiving: lockedCurrencySide === 'RECEIVING' ? totalReceiving.amount : null,
})

/** The rate of the rail. Without a rail it is the rate that takes most or delivers least, so that the screen promises nothing. */
const priceOf = (data: PriceNowQuery | undefined, { destination }: Quote): Price | undefined => {
  const rail = destination.__typename === 'AccountDestination' ? destination.paymentRail : null
  return data?.exchangeRates
    ?.filter(({ destinationPaymentRail }) => !rail || destinationPaymentRail === rail)
    .toSorted((a, b) => b.sending.amount - a.sending.amount || a.receiving.amount - b.receiving.amount)[0]
}
