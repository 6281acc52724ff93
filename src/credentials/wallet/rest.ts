// The operations on wallets and customers that a session signs: `/internal-accounts` and `/customers`.
import { internalAccountBody } from '#accounts/rest-body.ts'
import { invalidInput } from '#core/errors.ts'
import { walletExportBody } from '#credentials/rest-body.ts'
import { answerOutcome, proofOf } from '#credentials/signed-retry/rest.ts'
import { readCustomerBody } from '#customers/rest-body.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { updateCustomer } from './contact.ts'
import { exportWallet, updateWalletPrivacy } from './wallet.ts'

export const internalAccountRoutes = router()
export const customerRoutes = router()

internalAccountRoutes.post('/:id/export', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const outcome = await exportWallet(context.var.caller, context.req.param('id'), input, proofOf(context))
  return answerOutcome(context, outcome, (exported) => context.json(walletExportBody(exported)))
})

internalAccountRoutes.patch('/:id', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const { caller } = context.var
  const outcome = await updateWalletPrivacy(caller, context.req.param('id'), input, proofOf(context))
  return answerOutcome(context, outcome, (account) => context.json(internalAccountBody(caller, account)))
})

customerRoutes.patch('/:id', async (context) => {
  const body = await bodyOf(context, 'MANAGE')
  // Null, so that a second call without the type differs from the first.
  const input = { ...body, customerType: body['customerType'] ?? null }
  const proof = proofOf(context)
  const isFirstLeg = proof.requestId === null && proof.signature === null
  if (isFirstLeg && input.customerType === null) {
    throw invalidInput('customerType', 'customerType is required', { enum: ['INDIVIDUAL', 'BUSINESS'] })
  }
  const outcome = await updateCustomer(context.var.caller, context.req.param('id'), input, proof)
  return answerOutcome(context, outcome, async (customer) =>
    context.json(await readCustomerBody(context.var.caller, customer)),
  )
})
