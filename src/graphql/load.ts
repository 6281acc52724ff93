// Batches for the life of a request: everything that resolvers ask for in one tick becomes one statement per kind.
import DataLoader from 'dataloader'
import type { Caller } from '#core/caller.ts'
import { afterResolvers, type LoopTime } from './limits/loop-time.ts'

type Batch<T> = (caller: Caller, ids: readonly string[]) => Promise<readonly (T | Error)[]>

/** By batch function, or by a key where the batch also depends on arguments. */
export type Loaders = Map<unknown, DataLoader<string, unknown>>

interface Request {
  readonly caller: Caller
  readonly loaders: Loaders
  readonly loopTime?: LoopTime
}

export const load = <T>(
  { caller, loaders, loopTime }: Request,
  batch: Batch<T>,
  id: string,
  key: unknown = batch,
): Promise<T> => {
  let loader = loaders.get(key)
  if (!loader) {
    loader = new DataLoader<string, unknown>((ids) => batch(caller, ids), {
      batchScheduleFn: (dispatch) => afterResolvers(loopTime, dispatch),
    })
    loaders.set(key, loader)
  }
  return loader.load(id) as Promise<T>
}

/** Null stays null, without a statement. */
export const loadOptional = <T>(request: Request, batch: Batch<T>, id: string | null): Promise<T> | null =>
  id === null ? null : load(request, batch, id)
