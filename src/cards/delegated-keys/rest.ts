// `/auth/delegated-keys`.
import { requirePermission } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { answerOutcome, proofOf } from '#credentials/signed-retry/rest.ts'
import { bodyOf } from '#rest/body.ts'
import { queryOf } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { createDelegatedKey } from './create.ts'
import { type DelegatedKey, listDelegatedKeys, readDelegatedKey, revokeDelegatedKey } from './delegated-key.ts'
import type { delegatedKeySchema } from './rest-operations.ts'

export const delegatedKeyRoutes = router()

const keyBody = (key: DelegatedKey): BodyOf<typeof delegatedKeySchema> => ({
  id: publicId('DelegatedKey', key.id),
  cardId: publicId('Card', key.cardId),
  fundingSourceId: publicId('CardFundingSource', key.fundingSourceId),
  accountId: publicId('InternalAccount', key.accountId),
  publicKey: key.publicKey,
  nickname: key.nickname,
  status: key.status,
  spendingLimits: key.spendingLimits ?? undefined,
  createdAt: key.createdAt,
  updatedAt: key.updatedAt,
})

delegatedKeyRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const outcome = await createDelegatedKey(context.var.caller, input, proofOf(context))
  return answerOutcome(context, outcome, (key) => context.json(keyBody(key), 201))
})

delegatedKeyRoutes.get('/', async (context) => {
  const conditions = queryOf(context.req.url, ['accountId', 'fundingSourceId'])
  return context.json({ data: (await listDelegatedKeys(context.var.caller, conditions)).map(keyBody) })
})

delegatedKeyRoutes.get('/:id', async (context) =>
  context.json(keyBody(await readDelegatedKey(context.var.caller, context.req.param('id')))),
)

delegatedKeyRoutes.delete('/:id', async (context) => {
  requirePermission(context.var.caller, 'TRANSACT')
  await revokeDelegatedKey(context.var.caller, context.req.param('id'))
  return context.body(null, 204)
})
