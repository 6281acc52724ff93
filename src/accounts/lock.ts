import type { Caller } from '#core/caller.ts'
import type { Tx } from '#core/transaction.ts'

/** Always in the order of their ids: two changes never wait for each other. */
export const lockAccounts = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  accountIds: readonly string[],
) => {
  await tx.$queryRaw`
    select id from internal_accounts where platform_id = ${platformId}::uuid and id = any(${accountIds}::uuid[])
    order by id for no key update`
}
