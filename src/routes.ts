// The REST routes of every slice.
import { customerAccountRoutes, platformAccountRoutes } from '#accounts/rest.ts'
import { redeemRoutes } from '#agents/access/rest.ts'
import { actionDecisionRoutes, transactionDecisionRoutes } from '#agents/actions/rest-decisions.ts'
import { ownRoutes } from '#agents/me/rest.ts'
import { ownPaymentRoutes } from '#agents/me/rest-payments.ts'
import { agentRoutes } from '#agents/rest.ts'
import { delegatedKeyRoutes } from '#cards/delegated-keys/rest.ts'
import { cardRoutes } from '#cards/rest.ts'
import { NUMBER_PAGES } from '#cards/sandbox/number-page.ts'
import { numberPageRoutes } from '#cards/sandbox/rest-number-page.ts'
import { configurationRoutes } from '#configuration/rest.ts'
import { cryptoRoutes, discoveryRoutes, exchangeRateRoutes, vaspRoutes } from '#corridors/rest.ts'
import { credentialRoutes, sessionRoutes } from '#credentials/rest.ts'
import { customerRoutes, internalAccountRoutes } from '#credentials/wallet/rest.ts'
import { bulkRoutes, bulkUpload } from '#customers/bulk/rest.ts'
import { ownerRoutes } from '#customers/owners/rest.ts'
import { customerReadRoutes } from '#customers/rest.ts'
import { eventRoutes } from '#events/rest.ts'
import { invitationRoutes } from '#invitations/rest.ts'
import { apiTokenRoutes } from '#platforms/tokens/rest.ts'
import { receiverRoutes } from '#quotes/lookups/rest.ts'
import { wireRoutes } from '#quotes/receiving/rest-wire.ts'
import { quoteRoutes } from '#quotes/rest.ts'
import type { Routes } from '#rest/app.ts'
import { sandboxRoutes } from '#sandbox/rest.ts'
import { contactRoutes } from '#sca/contacts/rest.ts'
import { scaRoutes, trustRoutes } from '#sca/rest.ts'
import { cancellationRoutes } from '#settlement/cancellation/rest.ts'
import { operationRoutes, providerAccountRoutes, stablecoinQuoteRoutes, stablecoinRoutes } from '#stablecoins/rest.ts'
import { simulationRoutes } from '#transactions/cards/simulation/rest.ts'
import { receiptRoutes } from '#transactions/receipt/rest.ts'
import { transactionRoutes } from '#transactions/rest.ts'
import { transferRoutes } from '#transfers/rest.ts'
import { umaProviderRoutes } from '#uma/providers/rest.ts'
import { stagedUpload, uploadRoutes } from '#uploads/rest.ts'
import { documentRoutes, documentUploads } from '#verification/documents/rest.ts'
import { kycLinkRoutes, verificationRoutes } from '#verification/rest.ts'
import { webhookRoutes, webhookTestRoutes } from '#webhooks/rest.ts'
import { graphiqlRoutes } from './graphiql-routes.ts'

export const routes: Routes = {
  wire: wireRoutes,
  pages: [
    [NUMBER_PAGES, numberPageRoutes],
    ['/', graphiqlRoutes],
  ],
  public: [
    ['/agents/device-codes', redeemRoutes],
    ['/uploads', uploadRoutes],
  ],
  uploads: [stagedUpload, bulkUpload, ...documentUploads],
  // Below `/agents/me`.
  agents: [
    ['/', ownRoutes],
    ['/', ownPaymentRoutes],
  ],
  platforms: [
    ['/transactions', transactionRoutes],
    ['/auth/credentials', credentialRoutes],
    ['/auth/sessions', sessionRoutes],
    ['/auth/delegated-keys', delegatedKeyRoutes],
    ['/internal-accounts', internalAccountRoutes],
    // Before `/customers/:id`.
    ['/customers', customerAccountRoutes],
    ['/customers', contactRoutes],
    ['/customers/external-accounts', trustRoutes],
    ['/sca', scaRoutes],
    ['/customers/bulk', bulkRoutes],
    ['/customers', customerReadRoutes],
    ['/customers', customerRoutes],
    ['/platform', platformAccountRoutes],
    ['/cards', cardRoutes],
    ['/sandbox/cards', simulationRoutes],
    ['/quotes', quoteRoutes],
    ['/receiver', receiverRoutes],
    ['/uma-providers', umaProviderRoutes],
    ['/', transferRoutes],
    ['/agents', agentRoutes],
    ['/agents', actionDecisionRoutes],
    ['/transactions', transactionDecisionRoutes],
    ['/transactions', cancellationRoutes],
    ['/transactions', receiptRoutes],
    ['/webhooks/events', eventRoutes],
    ['/webhooks', webhookRoutes],
    ['/sandbox/webhooks', webhookTestRoutes],
    ['/sandbox', sandboxRoutes],
    ['/customers', kycLinkRoutes],
    ['/verifications', verificationRoutes],
    ['/beneficial-owners', ownerRoutes],
    ['/documents', documentRoutes],
    ['/config', configurationRoutes],
    ['/tokens', apiTokenRoutes],
    ['/exchange-rates', exchangeRateRoutes],
    ['/discoveries', discoveryRoutes],
    ['/vasps', vaspRoutes],
    ['/crypto', cryptoRoutes],
    ['/invitations', invitationRoutes],
    ['/stablecoin-provider-accounts', providerAccountRoutes],
    ['/stablecoins', stablecoinRoutes],
    ['/stablecoin-quotes', stablecoinQuoteRoutes],
    ['/stablecoin-operations', operationRoutes],
  ],
}
