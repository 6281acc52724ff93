// The items of a paged list, and how they are made.
import { publicId } from '#core/ids.ts'
import type { Given, Item } from './connection.ts'
import type { Platform } from './world.ts'

/** Fills a list with an item for each of these times. */
export type Create = (platform: Platform, times: readonly Date[]) => Promise<Given>

/** One for each time; `isAdmitted` is every third one, which `create` makes so that the list's filter admits it. */
export const itemsAt = (
  kind: Parameters<typeof publicId>[0],
  times: readonly Date[],
  create: (createdAt: Date, isAdmitted: boolean) => Promise<{ id: string }>,
): Promise<Item[]> =>
  Promise.all(
    times.map(async (createdAt, index) => {
      const isAdmitted = index % 3 === 0
      return { id: publicId(kind, (await create(createdAt, isAdmitted)).id), createdAt, isAdmitted }
    }),
  )

/** The same items in the list of the whole platform. */
export const ofAll =
  (create: Create): Create =>
  async (platform, times) => ({ ...(await create(platform, times)), parent: '' })
