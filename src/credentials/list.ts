// Credentials and active sessions: of all wallets, of one wallet, and of one credential.
import { z } from 'zod'
import { partsOfId } from '#core/ids.ts'
import { anyOf, idOf } from '#core/input.ts'
import { SessionRecord } from '#credentials/sessions/session.ts'
import { type Sql, sql } from '#database/db.ts'
import { isOneOf, recordList, refersTo, when } from '#database/record-list.ts'
import { CREDENTIAL_TYPES, CredentialRecord } from './credential.ts'

export const WalletFilterInput = z.object({
  accountId: idOf('InternalAccount').nullish().describe('Only those of this account: `InternalAccount:<uuid>`.'),
  customerId: idOf('Customer').nullish().describe("Only those of this customer's wallets: `Customer:<uuid>`."),
  types: anyOf(CREDENTIAL_TYPES).describe('Only these types. An empty list means no filter.'),
})

const matches = ({ accountId, customerId, types }: z.infer<typeof WalletFilterInput>): Sql[] => [
  ...refersTo('account_id', accountId),
  ...when(customerId, ownsAccount),
  ...isOneOf('type', 'auth_method_type', types),
]

const ownsAccount = (customerId: string): Sql => sql`exists (
  select from internal_accounts a
  where a.platform_id = t.platform_id and a.id = t.account_id and a.customer_id = ${partsOfId(customerId).uuid}::uuid)`

export const credentialList = recordList(CredentialRecord, {
  name: 'credentials',
  filter: WalletFilterInput,
  matches,
  parents: { InternalAccount: 'account_id' },
})
export const sessionList = recordList(SessionRecord, {
  name: 'sessions',
  filter: WalletFilterInput,
  matches,
  parents: { InternalAccount: 'account_id', AuthMethod: 'auth_method_id' },
})
