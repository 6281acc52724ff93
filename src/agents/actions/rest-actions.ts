import type { Context } from 'hono'
import { actionBody } from '#agents/rest-body.ts'
import type { Caller } from '#core/caller.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { partsOfActions } from './action-parts.ts'
import { type actionList, type approvalList, REPEATABLE_ACTION_PARAMETERS } from './list.ts'

/** Sends a page of actions, each with its quote and its payment. */
export const sendActions = async (
  context: Context,
  caller: Caller,
  list: typeof actionList | typeof approvalList,
  conditions: readonly string[],
  given: object = {},
) => {
  const found = await pageOfList(caller, context.req.url, list, conditions, given, REPEATABLE_ACTION_PARAMETERS)
  return sendPage(context, found, (await partsOfActions(caller, found.page.items)).map(actionBody))
}
