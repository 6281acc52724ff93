import { actionBody } from '#agents/rest-body.ts'
import type { Caller } from '#core/caller.ts'
import type { Page } from '#database/page.ts'
import { pageBody } from '#rest/query.ts'
import type { AgentAction } from './action.ts'
import { partsOfActions } from './action-parts.ts'

/** A page of actions, each with its quote and its payment. */
export const actionsBody = async (caller: Caller, page: Page<AgentAction>, totalCount: number) => {
  const bodies = (await partsOfActions(caller, page.items)).map(actionBody)
  return { ...pageBody(page, totalCount, ({ id }) => ({ id })), data: bodies }
}
