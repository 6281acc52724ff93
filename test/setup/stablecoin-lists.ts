// What fills the lists of stablecoins.
import { publicId } from '#core/ids.ts'
import { type Create, itemsAt } from './list-items.ts'
import { createOperation, createProviderAccount, createStablecoin } from './stablecoins.ts'
import { createExternalAccount, createInternalAccount, type Platform } from './world.ts'

const linksAt: Create = async (platform, times) => ({
  parent: '',
  items: await itemsAt('StablecoinProviderAccount', times, (createdAt, isAdmitted) =>
    createProviderAccount(platform, { createdAt, status: isAdmitted ? 'ACTIVE' : 'INVALID' }),
  ),
})

const coinsAt: Create = async (platform, times) => {
  const { id: linkId } = await createProviderAccount(platform)
  const items = await itemsAt('Stablecoin', times, (createdAt) => createStablecoin(platform, { createdAt, linkId }))
  return { parent: '', items: items.map((item) => ({ ...item, isAdmitted: true })) }
}

const coinOf = async (platform: Platform) =>
  (await createStablecoin(platform, { linkId: (await createProviderAccount(platform)).id })).id

/** Operations of one stablecoin, and one operation of another. */
const operationsAt =
  (allAdmitted: boolean): Create =>
  async (platform, times) => {
    const accountId = (await createInternalAccount(platform)).id
    const walletId = (await createExternalAccount(platform)).id
    const coinId = await coinOf(platform)
    await createOperation(platform, { coinId: await coinOf(platform), accountId, walletId })
    const items = await itemsAt('StablecoinOperation', times, (createdAt, isAdmitted) =>
      createOperation(platform, { createdAt, coinId, accountId, walletId, status: isAdmitted ? 'FAILED' : 'EXPIRED' }),
    )
    return {
      parent: publicId('Stablecoin', coinId),
      items: allAdmitted ? items.map((item) => ({ ...item, isAdmitted: true })) : items,
    }
  }

export const STABLECOIN_CONTENTS: Readonly<Record<string, Create>> = {
  'Query.stablecoinProviderAccounts': linksAt,
  'Query.stablecoins': coinsAt,
  'Stablecoin.operations': operationsAt(false),
  'GET /stablecoin-provider-accounts': linksAt,
  'GET /stablecoins': coinsAt,
  'GET /stablecoins/{stablecoinId}/operations': operationsAt(true),
}

const LINKS = { one: { status: 'ACTIVE' }, others: [null, { status: 'REVOKED' }] }

export const STABLECOIN_FILTERS = {
  StablecoinProviderAccountFilter: { ...LINKS, same: [{ status: 'ACTIVE', provider: null }] },
  StablecoinFilter: { one: {}, others: [], same: [{ stablecoinProviderAccountId: null }] },
  StablecoinOperationFilter: {
    one: { statuses: ['FAILED'] },
    others: [null, { statuses: ['CREATED'] }],
    same: [{ statuses: ['FAILED'], operationType: null }],
  },
  'GET /stablecoin-provider-accounts': { ...LINKS, same: [] },
  'GET /stablecoins': { one: {}, others: [], same: [] },
  'GET /stablecoins/{stablecoinId}/operations': { one: {}, others: [], same: [] },
}
