// A write that takes too long, as it does while others hold the row.
import { db } from '#database/db.ts'

/** Each such write, for example `insert on signed_requests`, fails with the error of a statement that timed out. */
export const whileBusy = async <T>(write: string, work: () => Promise<T>): Promise<T> => {
  await db.$executeRawUnsafe(`create function be_busy() returns trigger language plpgsql as
    'begin raise exception ''busy'' using errcode = ''query_canceled''; end'`)
  await db.$executeRawUnsafe(`create trigger is_busy before ${write} for each row execute function be_busy()`)
  try {
    return await work()
  } finally {
    await db.$executeRawUnsafe('drop function be_busy cascade')
  }
}
