// Loads in batches per request: everything that resolvers load in one tick becomes one statement per batch function.
import DataLoader from 'dataloader'
import type { Caller } from '#core/caller.ts'
import type { Context } from './builder.ts'
import { afterResolvers } from './limits/loop-time.ts'

type Batch<T> = (caller: Caller, ids: readonly string[]) => Promise<readonly (T | Error)[]>

/** Keyed by batch function, or by a string if the batch also depends on arguments. */
export type Loaders = Map<unknown, DataLoader<string, unknown>>

type Request = Pick<Context, 'caller' | 'loaders' | 'loopTime'>

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

/** Like `load`, but a null id gives null without a statement. */
export const loadOptional = <T>(request: Request, batch: Batch<T>, id: string | null): Promise<T> | null =>
  id === null ? null : load(request, batch, id)
