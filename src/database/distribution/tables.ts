// Where the tables of a distributed database are. Tables that are not named here are divided by `platform_id`.

/** Each node has these tables in full. They are read in statements of every platform, or before the platform is known, and rarely change. */
export const REFERENCE = [
  'transaction_transitions',
  'card_transitions',
  'exchange_rate_tables',
  'platforms',
  'api_tokens',
  'uma_keys',
  'directory',
] as const

/** These tables are only at the coordinator, beside the jobs. They are about processes, client addresses, migrations, replicas and the master key. */
export const LOCAL = [
  '_prisma_migrations',
  'job_holders',
  'device_code_redeems',
  'taken_jobs',
  'platform_changes',
  'change_periods',
  'master_key_mark',
] as const

/** Triggers that write to a table on another node, which is not possible. The gateway writes those rows itself. */
export const REMOVED_TRIGGERS = [
  { table: 'platforms', name: 'platforms_event_stream' },
  { table: 'agents', name: 'directory_new' },
  { table: 'agents', name: 'directory_changed' },
  { table: 'agent_device_codes', name: 'directory_new' },
  { table: 'invitations', name: 'directory_new' },
] as const
