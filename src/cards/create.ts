// Ordering cards (docs/domain/cards.md#card-operations).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { idOf, labelOf, parseChanges, textOf } from '#core/input.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import { CARD_FIELDS, CARD_FORMS, CARD_TEXTS, type Card, CardRecord } from './card.ts'
import { fundingSources, lockSources, MAX_FUNDING_SOURCES } from './funding-sources.ts'
import { requireIssuer } from './issuers.ts'

const { texts } = CardRecord

export const newCard = z.object({
  cardholderId: idOf('Customer').describe(texts.customerId),
  form: labelOf(CARD_FORMS).describe(texts.form),
  fundingSources: fundingSources.describe(`${CARD_TEXTS.fundingSources} 1 to ${MAX_FUNDING_SOURCES}.`),
  platformCardId: textOf(255).nullish().describe(`${texts.platformCardId} 1 to 255 characters.`),
})

/**
 * Orders a card, which is `PROCESSING` until the issuer decides. Needs the permission MANAGE. Throws 501 `NOT_IMPLEMENTED` without an issuer,
 * 404 `USER_NOT_FOUND`, 410 `CUSTOMER_DELETED`, 400 `INVALID_INPUT` with the reason `CARDHOLDER_KYC_NOT_APPROVED`, and the errors of
 * `lockSources`.
 */
export const createCard = async (caller: PlatformCaller, input: unknown): Promise<Card> => {
  requirePermission(caller, 'MANAGE')
  const issuer = requireIssuer(caller)
  const { platformId } = caller
  const request = parseChanges(newCard, input, CARD_FIELDS)
  const customerId = partsOfId(request.cardholderId).uuid
  const id = await inTransaction(async (tx) => {
    const checkSources = await lockSources(tx, caller, request.fundingSources)
    await lockCustomer(tx, caller, customerId)
    const { verificationStatus } = await tx.customer.findUniqueOrThrow({
      where: { platformId_id: { platformId, id: customerId } },
      select: { verificationStatus: true },
    })
    if (verificationStatus !== 'APPROVED') {
      throw new ApiError('INVALID_INPUT', 'The cardholder is not approved', {
        field: 'cardholderId',
        reason: 'CARDHOLDER_KYC_NOT_APPROVED',
      })
    }
    const sources = checkSources(issuer, customerId)
    const createdAt = await timeOf(tx)
    const card = await tx.card.create({
      data: {
        platformId,
        id: newUuid(),
        customerId,
        accountId: sources[0] as string,
        fundingSources: sources,
        platformCardId: request.platformCardId ?? null,
        state: 'PROCESSING',
        form: request.form,
        createdAt,
        updatedAt: createdAt,
      },
    })
    await issuer.order(tx, card)
    return card.id
  })
  return selectWritten(caller, CardRecord, id)
}
