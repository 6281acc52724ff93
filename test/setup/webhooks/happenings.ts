// Things that happen to objects of a platform, and the events that report them.
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createInternalAccount, type Platform } from '#test/setup/world.ts'

/** All types but TEST, so that setting the endpoint sends none. */
const ALL = EVENT_TYPES.filter((type) => type !== 'TEST')

export const setEndpoint = async (platform: Platform, url: string, types: readonly string[] = ALL) => {
  const { body } = await callGraphQL(
    basic(platform),
    `mutation ($input: SetWebhookEndpointInput!) { setWebhookEndpoint(input: $input) {
      ... on SetWebhookEndpointSuccess { secret endpoint { signingPublicKey } } ... on ApiError { code } } }`,
    { input: { url, types: types.map((type) => type.replace('.', '_')) } },
  )
  const { secret, endpoint } = body.data.setWebhookEndpoint
  return { secret: secret as string, publicKey: endpoint.signingPublicKey as string }
}

export const endpointOf = async (platform: Platform) => {
  const { body } = await callGraphQL(
    basic(platform),
    '{ webhookEndpoint { status disabledReason failingSince waiting } }',
    {},
  )
  return body.data.webhookEndpoint
}

export const createAccounts = async (platform: Platform, count: number): Promise<string[]> => {
  const made = Array.from({ length: count }, () => createInternalAccount(platform))
  return (await Promise.all(made)).map(({ id }) => id)
}

/** The accounts change their status together. */
export const changeAccounts = (platform: Platform, accounts: readonly string[]) =>
  inTransaction(
    (tx) => tx.$executeRaw`
    update internal_accounts set status = case when status = 'ACTIVE' then 'FROZEN' else 'ACTIVE' end::internal_account_status
    where platform_id = ${platform.id}::uuid and id = any(${accounts}::uuid[])`,
  )

/** The public ids of the platform's events by object, in the order of the stream. */
export const toldOf = async (platform: Platform): Promise<Map<string, string[]>> => {
  const rows = await db.$queryRaw<{ id: string; object: string }[]>`
    select 'Webhook:' || id as id, coalesce(object_kind || ':' || object_id, 'Webhook:' || id) as object from numbered_events
    where platform_id = ${platform.id}::uuid and type <> 'TEST' order by position`
  const told = new Map<string, string[]>()
  for (const { id, object } of rows) told.set(object, [...(told.get(object) ?? []), id])
  return told
}

/** All waits of retries and of the circuit breaker have ended. */
export const passWaits = async (platform: Platform) => {
  await db.$executeRaw`update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid and not is_leased`
  await db.$executeRaw`update webhook_endpoints set probe_at = now() where platform_id = ${platform.id}::uuid and probe_at is not null`
}

export const statusesOf = async (platform: Platform): Promise<Record<string, number>> => {
  const rows = await db.$queryRaw<{ status: string; count: number }[]>`
    select status::text, count(*)::int from webhook_deliveries where platform_id = ${platform.id}::uuid group by 1`
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
