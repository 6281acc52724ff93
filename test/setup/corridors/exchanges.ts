// One exchange of every operation on corridors, invitations and stablecoins, for the contract.

import { depositAddress } from '#accounts/funding/deposit-address.ts'
import { publicId } from '#core/ids.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createStablecoinIssuer, post, quoteBody } from '#test/setup/stablecoins.ts'
import { changePlatform, createCustomer, createInternalAccount, createPlatform } from '#test/setup/world.ts'

export const useCorridors = async () => {
  const platform = await createPlatform()
  await send(platform, 'GET', '/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR&sendingAmount=10000')
  await send(platform, 'GET', '/discoveries?country=NG&currency=NGN')
  await send(platform, 'GET', '/vasps?limit=2')
  const { id } = await createInternalAccount(platform, { type: 'INTERNAL_CRYPTO', currency: 'USDC' })
  await send(platform, 'POST', '/crypto/estimate-withdrawal-fee', {
    internalAccountId: publicId('InternalAccount', id),
    currency: 'USDC',
    cryptoNetwork: 'BASE',
    amount: 1_000_000,
    destinationAddress: depositAddress('BASE', id),
  })

  const [inviterUma, inviteeUma] = ['$ada@inviter.example', '$grace@invited.example']
  await changePlatform(platform, { umaDomain: 'inviter.example' })
  await createCustomer(platform, { umaAddress: inviterUma })
  await createCustomer(platform, { umaAddress: inviteeUma })
  const invite = async () => (await send(platform, 'POST', '/invitations', { inviterUma, amountToSend: 5 })).body.code
  const code = await invite()
  await send(platform, 'GET', `/invitations/${code}`)
  await send(platform, 'POST', `/invitations/${code}/claim`, { inviteeUma })
  await send(platform, 'POST', `/invitations/${await invite()}/cancel`)

  const issuer = await createStablecoinIssuer()
  const read = (path: string) => send(issuer.platform, 'GET', path)
  await read('/stablecoin-provider-accounts?status=ACTIVE')
  await read(`/stablecoin-provider-accounts/${issuer.link.id}`)
  await read('/stablecoins')
  await read(`/stablecoins/${issuer.coin.id}`)
  await post(issuer.platform, `/stablecoins/${issuer.coin.id}/burn-quotes`, quoteBody(issuer, 'burn'))
  const quote = await post(issuer.platform, `/stablecoins/${issuer.coin.id}/mint-quotes`, quoteBody(issuer, 'mint'))
  const operation = await post(issuer.platform, `/stablecoin-quotes/${quote.body.id}/execute`)
  await read(`/stablecoins/${issuer.coin.id}/operations`)
  await read(`/stablecoin-operations/${operation.body.id}`)
}
