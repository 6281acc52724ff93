// Every operation of UMA that a platform calls, successfully.
import { createPayer } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createUmaProvider } from './rows.ts'

export const lookUpEverything = async () => {
  const { platform, customerId, iban, dollars } = await createPayer()
  await createUmaProvider(platform, { supportedCurrencies: ['USD'], supportedRegions: ['US'] })
  await send(platform, 'GET', '/uma-providers?currencyCode=USD&countryCode=US&hasBlockedProviders=true')
  await send(platform, 'GET', `/receiver/external-account/${iban}?customerId=${customerId}`)
  const umaAddress = '$success.eur@bank.example'
  const { body } = await send(
    platform,
    'GET',
    `/receiver/uma/${encodeURIComponent(umaAddress)}?customerId=${customerId}`,
  )
  await send(platform, 'POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: dollars },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    lookupId: body.lookupId,
  })
}
