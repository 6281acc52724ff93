// Calls answer with the row that they have written, even if another call deletes it as soon as it is committed.
// Not distributed: the trigger reads a table that only one node has.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { rest } from '#test/setup/faces.ts'
import { createEuropean } from '#test/setup/sca/europeans.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { createDocument } from '#test/setup/verification/rows.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { createExternalAccount, type Platform } from '#test/setup/world.ts'

const TABLES = ['api_tokens', 'documents', 'sca_challenges']

/** Deletes the rows of the platforms in `deletes_at_once` at the end of the transaction that writes them. */
beforeAll(async () => {
  await db.$executeRaw`create table deletes_at_once (platform_id uuid primary key)`
  await db.$executeRawUnsafe(`create function delete_at_once() returns trigger language plpgsql as $$ begin
    if exists (select from deletes_at_once where platform_id = new.platform_id) then
      execute format('delete from %I where platform_id = $1 and id = $2', tg_table_name) using new.platform_id, new.id;
    end if;
    return null;
  end $$`)
  for (const table of TABLES) {
    await db.$executeRawUnsafe(`create constraint trigger deleted_at_once after insert or update on ${table}
      deferrable initially deferred for each row execute function delete_at_once()`)
  }
})

afterAll(async () => {
  await db.$executeRaw`drop function delete_at_once cascade`
  await db.$executeRaw`drop table deletes_at_once`
})

interface Holder {
  readonly customerId: string
  readonly accountId: string
  readonly documentId: string
}

const FIELDS = { documentType: 'PASSPORT', country: 'DE' }

it.each([
  ['an API token', (by: Platform) => callRest(by, 'POST', '/tokens', { name: 'Till', permissions: ['VIEW'] }), 201],
  [
    'a document',
    (by: Platform, { customerId }: Holder) =>
      rest(by, '/documents', { method: 'POST', body: formOf(pdf(100), { ...FIELDS, documentHolder: customerId }) }),
    201,
  ],
  [
    'a document that is replaced',
    (by: Platform, { documentId }: Holder) =>
      rest(by, `/documents/${documentId}`, { method: 'PUT', body: formOf(pdf(100), FIELDS) }),
    200,
  ],
  [
    'the challenge of a login',
    (by: Platform, { customerId }: Holder) =>
      callRest(by, 'POST', '/sca/login/start', { customerId, factor: 'SMS_OTP' }),
    200,
  ],
  [
    'the challenge to trust an account',
    (by: Platform, { accountId }: Holder) =>
      callRest(by, 'POST', `/customers/external-accounts/${accountId}/trust`, {}),
    200,
  ],
] as const)('a call answers with %s that is deleted at once', async (_what, write, status) => {
  const { platform, customerId, id } = await createEuropean()
  const account = await createExternalAccount(platform, { customerId: id })
  const document = await createDocument(platform, { customerId: id })
  await db.$executeRaw`insert into deletes_at_once (platform_id) values (${platform.id}::uuid)`
  const answer = await write(platform, {
    customerId,
    accountId: publicId('ExternalAccount', account.id),
    documentId: publicId('Document', document.id),
  })
  expect([answer.status, answer.body]).toEqual([status, expect.anything()])
})
