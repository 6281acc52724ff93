import { actionBody } from '#agents/rest-body.ts'
import type { Caller } from '#core/caller.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { partsOfActions } from './action-parts.ts'
import type { actionList, approvalList } from './list.ts'

/** A page of actions, each with its quote and its payment. */
export const actionsBody = async (
  caller: Caller,
  url: string,
  list: typeof actionList | typeof approvalList,
  conditions: readonly string[],
  given: object = {},
) => {
  const found = await pageOfList(caller, url, list, conditions, given)
  return pageBody(found, (await partsOfActions(caller, found.page.items)).map(actionBody))
}
