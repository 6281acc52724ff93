// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is source that is quoted.
import type { Checked } from './check.ts'

export const requests: readonly Checked[] = [
  {
    file: 'accounts/lock',
    tests: ['credential-races', 'credential-twins'],
    checks: [
      [
        'order',
        '    order by customer_id is null, id for no key update',
        '    order by random() for no key update',
        'transaction(), which begins again after a deadlock',
      ],
      [
        'platform',
        'where platform_id = ${platformId}::uuid and id = any',
        'where id = any',
        'the look-ups before it: a platform finds its own accounts only',
      ],
    ],
  },
  {
    file: 'credentials/signed-retry',
    tests: [
      'signed-retry-gate',
      'signed-retry-waiting',
      'signed-retry-signers',
      'credential-twins',
      'credential-tables-verify',
      'credential-limits',
      'credential-races',
    ],
    checks: [
      [
        'R2 signature missing',
        "throw new ApiError('WALLET_SIGNATURE_MISSING'",
        "throw new ApiError('REQUEST_ID_MISSING'",
      ],
      [
        'R3 Request-Id missing',
        "throw new ApiError('REQUEST_ID_MISSING'",
        "throw new ApiError('WALLET_SIGNATURE_MISSING'",
      ],
      ['R1 without both', 'requestId === null && signature === null', 'requestId === null || signature === null'],
      [
        'R4 before R5',
        '  const stamp = parseStamp(signature)\n  // R5\n  const request = await findRequest(caller, requestId, operation, target)\n',
        '  const request = await findRequest(caller, requestId, operation, target)\n  const stamp = parseStamp(signature)\n',
      ],
      ['R6 fingerprint', 'if (!request.fingerprint.equals(fingerprint))', 'if (false)'],
      ['R7 signature', 'if (!isSignedBy(stamp, payload))', 'if (false)'],
      ['R7 signer', 'if (!(await maySign(tx, caller, accountIds, signers, stamp)))', 'if (false)'],
      ['R9 consumption', '      await consumeRequest(tx, caller, request.id)\n', ''],
      ['lock of the accounts', '      await lockAccounts(tx, caller, accountIds)\n', ''],
      ['lock while a request is issued', '    await lockAccounts(tx, caller, accountIds.slice(0, 1))\n', ''],
      ['what goes along with the issue', '    await alongside?.(tx)\n', ''],
      [
        'the key that is named',
        "if (publicKey !== undefined) return key.toString('hex') === publicKey",
        'if (publicKey !== undefined) return true',
      ],
      ['signer: platform', 'where platform_id = ${platformId}::uuid and account_id = any', 'where account_id = any'],
      ['signer: account', ' and account_id = any(${accountIds}::uuid[]) and public_key', ' and public_key'],
      ['signer: key', ' and public_key = ${key}\n', '\n'],
      ['signer: active', 'select 1 from active_sessions\n', 'select 1 from wallet_sessions\n'],
      ['signer: session', '(${sessionId ?? null}::uuid is null or id = ${sessionId ?? null}::uuid)', 'true'],
      [
        'signer: not of the credential',
        '(${exceptCredentialId ?? null}::uuid is null or auth_method_id <> ${exceptCredentialId ?? null}::uuid)',
        'true',
      ],
    ],
  },
  {
    file: 'credentials/signed-request',
    tests: [
      'signed-retry-waiting',
      'signed-retry-gate',
      'signed-retry-signers',
      'credential-tenants',
      'credential-twins',
    ],
    checks: [
      ['figure of the life', 'SIGNED_RETRY_SECONDS = 5 * 60', 'SIGNED_RETRY_SECONDS = 6 * 60'],
      ['figure of how many wait', 'MAX_PENDING = 20', 'MAX_PENDING = 21'],
      ['the oldest gives way', 'order by created_at desc, id desc offset', 'order by created_at, id offset'],
      [
        'how many wait: per account',
        ' and account_id = ${accountId}::uuid and consumed_at is null',
        ' and consumed_at is null',
      ],
      [
        'how many wait: not the consumed',
        ' and consumed_at is null and expires_at > now()\n      order',
        ' and expires_at > now()\n      order',
      ],
      [
        'how many wait: not the expired',
        ' and consumed_at is null and expires_at > now()\n      order',
        ' and consumed_at is null\n      order',
      ],
      [
        'how many wait: platform',
        'select id from signed_requests\n      where platform_id = ${platformId}::uuid and account_id',
        'select id from signed_requests\n      where account_id',
        'the account, which belongs to one platform',
      ],
      ['the kind of the id', "parsed?.kind === 'Request' ? ", 'parsed ? '],
      [
        'find: platform',
        'from signed_requests where platform_id = ${platformId}::uuid and id = ${id}::uuid`',
        'from signed_requests where id = ${id}::uuid`',
      ],
      ['find: operation', ' || found.operation !== operation', ''],
      ['find: target', ' || found.target !== target', ''],
      [
        'find: consumed',
        'if (found.consumed || found.sealed === null) throw consumed()',
        "if (found.sealed === null) throw unusable('REQUEST_ID_UNKNOWN', '')",
      ],
      ['find: expired', "if (found.expired) throw unusable('REQUEST_ID_EXPIRED', 'The Request-Id has expired')", ''],
      [
        'consume: platform',
        'where platform_id = ${platformId}::uuid and id = ${id}::uuid and consumed_at is null and',
        'where id = ${id}::uuid and consumed_at is null and',
      ],
      ['consume: this one', 'and id = ${id}::uuid and consumed_at is null and', 'and consumed_at is null and'],
      ['consume: once', ' and consumed_at is null and expires_at > now()`\n  if', ' and expires_at > now()`\n  if'],
      [
        'consume: not expired',
        ' and consumed_at is null and expires_at > now()`\n  if',
        ' and consumed_at is null`\n  if',
        'find: expired, but for a moment between the two',
      ],
      ['consume: the loser is told', 'if (consumedRows !== 1) throw consumed()', ''],
      [
        'the seal is bound to its row',
        'const ownerOf = (platformId: string, id: string) => `request ${platformId} ${id}`',
        "const ownerOf = (_platformId: string, _id: string) => 'request'",
      ],
      [
        'forgetting: requests',
        "await db.$executeRaw`delete from signed_requests where expires_at < now() - interval '1 day'`",
        '',
      ],
      [
        'forgetting: tokens',
        "await db.$executeRaw`delete from oidc_token_uses where expires_at < now() - interval '1 day'`",
        '',
      ],
      [
        'forgetting: not before a day',
        "delete from signed_requests where expires_at < now() - interval '1 day'",
        'delete from signed_requests where true',
      ],
    ],
  },
  {
    file: 'credentials/limits',
    tests: ['credential-limits', 'credential-tables-verify', 'credential-twins'],
    checks: [
      [
        'figure of challenges',
        "times: identifier('challenge_times'),\n  atMost: 5",
        "times: identifier('challenge_times'),\n  atMost: 6",
      ],
      ['window of challenges', 'windowSeconds: 5 * 60', 'windowSeconds: 4 * 60'],
      [
        'figure of failures',
        "times: identifier('failure_times'),\n  atMost: 5",
        "times: identifier('failure_times'),\n  atMost: 6",
      ],
      ['window of failures', 'windowSeconds: 15 * 60', 'windowSeconds: 14 * 60'],
      ['two counts', "identifier('failure_times')", "identifier('challenge_times')"],
      ['the window slides', 'where at > now() - make_interval(secs => ${windowSeconds})', ''],
      ['the limit', ' and cardinality(${inWindow(limit)}) < ${limit.atMost}', ''],
      [
        'take: platform',
        'where platform_id = ${platformId}::uuid and id = ${id}::uuid and cardinality',
        'where id = ${id}::uuid and cardinality',
      ],
      ['take: credential', ' and id = ${id}::uuid and cardinality', ' and cardinality'],
      [
        'the seconds: platform',
        'from auth_methods where platform_id = ${platformId}::uuid and id = ${id}::uuid`\n  throw',
        'from auth_methods where id = ${id}::uuid`\n  throw',
      ],
      [
        'the seconds: credential',
        'from auth_methods where platform_id = ${platformId}::uuid and id = ${id}::uuid`\n  throw',
        'from auth_methods where platform_id = ${platformId}::uuid`\n  throw',
      ],
      ['a refusal is told', 'if (taken === 1) return', 'return'],
      ['the seconds', '+ ${limit.windowSeconds})::int', ')::int'],
      ['the oldest counts', '(${inWindow(limit)})[1]', '(${inWindow(limit)})[2]'],
      ['at least one second', 'Math.max(1, row?.seconds ?? 1)', '(row?.seconds ?? 1) - 1'],
      [
        'give back: credential',
        'least(1, cardinality(${times})))\n    where platform_id = ${platformId}::uuid and id = ${id}::uuid`',
        'least(1, cardinality(${times})))\n    where platform_id = ${platformId}::uuid`',
      ],
      [
        'give back: platform',
        'least(1, cardinality(${times})))\n    where platform_id = ${platformId}::uuid and id = ${id}::uuid`',
        'least(1, cardinality(${times})))\n    where id = ${id}::uuid`',
        'the id, which no two credentials share',
      ],
      ['give back', 'least(1, cardinality(${times}))', '0'],
      ['count before judging', '  await takeOne(FAILED_PROOFS, credential)\n', ''],
      ['what is no failure is given back', 'if (!isFailedProof) await giveBack(FAILED_PROOFS, credential)', ''],
      ['a code that was not asked for is no failure', ' && error.details?.reason !== PENDING_IS_NO_FAILURE', ''],
      ['a refusal is a failure', "error.code === 'UNAUTHORIZED' &&", 'false &&'],
      ['a success clears', "set failure_times = '{}' where", 'set updated_at = updated_at where'],
      [
        'clear: platform',
        "set failure_times = '{}' where platform_id = ${platformId}::uuid and id = ${id}::uuid`",
        "set failure_times = '{}' where id = ${id}::uuid`",
        'the id, which no two credentials share',
      ],
      [
        'clear: credential',
        "set failure_times = '{}' where platform_id = ${platformId}::uuid and id = ${id}::uuid`",
        "set failure_times = '{}' where platform_id = ${platformId}::uuid`",
      ],
    ],
  },
  {
    file: 'credentials/delivery',
    tests: ['delivery'],
    checks: [
      ['nothing is sent in sandbox', "if (environment === 'SANDBOX') return", ''],
      ['a transport in production', "if (environment === 'PRODUCTION') transportOf(type)", ''],
      [
        'a failure is told',
        "throw new ApiError('SERVICE_UNAVAILABLE', 'The code could not be sent. Try again in a moment')",
        'return',
      ],
      [
        'a transport that is not set up',
        'if (!transport) throw',
        'if (!transport) return async () => {}\n  if (!transport) throw',
      ],
    ],
  },
  {
    file: 'core/environment',
    tests: ['delivery'],
    checks: [
      ['mail needs TLS', "url.searchParams.set('requireTLS', 'true')", ''],
      [
        'mail needs TLS, whatever is asked for',
        "url.searchParams.set('requireTLS'",
        "url.searchParams.append('requireTLS'",
      ],
      [
        'mail needs TLS on its way to others only',
        "if (url.protocol === 'smtp:' && !isPrivate(address))",
        "if (url.protocol === 'smtp:')",
      ],
    ],
  },
  {
    file: 'credentials/email',
    tests: ['delivery'],
    checks: [['one recipient', "to: { name: '', address }", 'to: address']],
  },
  {
    file: 'credentials/sms',
    tests: ['delivery'],
    checks: [
      ['a refusal is told', 'if (!ok) throw', 'if (false) throw'],
      ['no redirect', "      redirect: 'error',\n", ''],
    ],
  },
  {
    file: 'credentials/rest-retry',
    tests: ['signed-retry-gate', 'credential-tables'],
    checks: [
      ['an empty Request-Id is none', "req.header('request-id') || null", "req.header('request-id') ?? null"],
      [
        'an empty signature is none',
        "req.header('service-wallet-signature') || null",
        "req.header('service-wallet-signature') ?? null",
      ],
    ],
  },
]
