// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is source that is quoted.
import type { Checked } from './check.ts'

const PERMISSION = "  requirePermission(caller, 'TRANSACT')\n"

export const operations: readonly Checked[] = [
  {
    file: 'credentials/revoke',
    tests: [
      'credential-tables',
      'credential-identity',
      'credential-story',
      'signed-retry-signers',
      'credential-limits',
      'credential-twins',
    ],
    checks: [
      ['permission', PERMISSION, ''],
      [
        'unknown',
        '      if (!credential) throw unknownCredential()\n',
        "      if (!credential) throw new Error('none')\n",
      ],
      ['the last', '      await refuseLast(db, caller, accountId)\n', ''],
      ['signed by another credential', 'signers: { exceptCredentialId: credential.id }', 'signers: {}'],
      ['live on the second leg', '      await requireLive(tx, caller, authMethodId)\n', ''],
      ['the last on the second leg', '      await refuseLast(tx, caller, accountId)\n', ''],
      [
        'the last: of the account',
        'count({ where: { platformId, accountId, revokedAt: null } })',
        'count({ where: { platformId, revokedAt: null } })',
      ],
      [
        'the last: live',
        'count({ where: { platformId, accountId, revokedAt: null } })',
        'count({ where: { platformId, accountId } })',
      ],
      [
        'the last: platform',
        'count({ where: { platformId, accountId, revokedAt: null } })',
        'count({ where: { accountId, revokedAt: null } })',
      ],
      ['figure of the last', 'if (live <= 1)', 'if (live <= 2)'],
      [
        'it: platform',
        '    where platform_id = ${platformId}::uuid and id = ${id}::uuid`\n  await',
        '    where id = ${id}::uuid`\n  await',
      ],
      [
        'only it',
        '    where platform_id = ${platformId}::uuid and id = ${id}::uuid`\n  await',
        '    where platform_id = ${platformId}::uuid`\n  await',
      ],
      [
        'its code: platform',
        'from otp_challenges where platform_id = ${platformId}::uuid and auth_method_id',
        'from otp_challenges where auth_method_id',
        'the id, which no two credentials share',
      ],
      ['only its code', ' and auth_method_id = ${id}::uuid`\n  const sessions', '`\n  const sessions'],
      [
        'its sessions: platform',
        '    where platform_id = ${platformId}::uuid and auth_method_id = ${id}::uuid and revoked_at',
        '    where auth_method_id = ${id}::uuid and revoked_at',
      ],
      [
        'its code ends',
        '  await tx.$executeRaw`delete from otp_challenges where platform_id = ${platformId}::uuid and auth_method_id = ${id}::uuid`\n',
        '',
      ],
      [
        'its sessions end',
        'update wallet_sessions set revoked_at = now(), updated_at = now()',
        'update wallet_sessions set updated_at = now()',
      ],
      [
        'only its sessions end',
        ' and auth_method_id = ${id}::uuid and revoked_at is null and',
        ' and revoked_at is null and',
      ],
      [
        'sessions that were over are not told',
        ' and revoked_at is null and expires_at > now()\n    returning',
        '\n    returning',
      ],
    ],
  },
  {
    file: 'credentials/sessions',
    tests: ['sessions-tables', 'credential-story', 'signed-retry-signers', 'credential-limits', 'credential-twins'],
    checks: [
      [
        'permission to refresh',
        "  requirePermission(caller, 'TRANSACT')\n  const { platformId }",
        '  const { platformId }',
      ],
      ['permission to revoke', "  requirePermission(caller, 'TRANSACT')\n  return", '  return'],
      ['clientPublicKey', 'parse(recipient, input)', '(input as { clientPublicKey: string })'],
      [
        'refresh: unknown',
        '      if (!session) throw unknownSession()\n',
        "      if (!session) throw new Error('none')\n",
      ],
      ['refresh: active', 'if (!session.isActive) {', 'if (false) {'],
      ['refresh: by its own key', 'signers: { sessionId: session.id }', 'signers: {}'],
      ['revoke: active', 'if (!session?.isActive) throw', 'if (!session) throw'],
      [
        'revoke: platform',
        'where platform_id = ${platformId}::uuid and id = ${id}::uuid and revoked_at',
        'where id = ${id}::uuid and revoked_at',
      ],
      ['revoke: this one', ' and id = ${id}::uuid and revoked_at', ' and revoked_at'],
      ['revoke: once', ' and revoked_at is null and expires_at > now()`\n  if', ' and expires_at > now()`\n  if'],
      ['revoke: not over', ' and revoked_at is null and expires_at > now()`\n  if', ' and revoked_at is null`\n  if'],
      ['revoke: who loses is told', 'if (ended !== 1) throw unknownSession()', ''],
      ['kind', "if (parsed?.kind !== 'Session') return undefined", 'if (!parsed) return undefined'],
      ['platform', 'where: { platformId, id: parsed.uuid },\n    include', 'where: { id: parsed.uuid },\n    include'],
      [
        'active: platform',
        'select 1 from active_sessions where platform_id = ${platformId}::uuid and id',
        'select 1 from active_sessions where id',
      ],
      ['active: this one', ' and id = ${parsed.uuid}::uuid`', '`'],
      ['active', 'select 1 from active_sessions where', 'select 1 from wallet_sessions where'],
    ],
  },
  {
    file: 'credentials/wallet',
    tests: ['sessions-tables', 'credential-story', 'credential-limits'],
    checks: [
      ['permission to export', "  requirePermission(caller, 'TRANSACT')\n  return", '  return'],
      [
        'permission of privacy',
        "  requirePermission(caller, 'TRANSACT')\n  const { platformId }",
        '  const { platformId }',
      ],
      ['clientPublicKey', 'parse(recipient, input)', '(input as { clientPublicKey: string })'],
      ['one seed', 'if (key) return openSecret', 'if (false) return openSecret'],
      ['the seed is bound to its wallet', '`wallet ${platformId} ${accountId}`', "'wallet'"],
      ['12 words', 'ENTROPY_OF_12_WORDS = 128', 'ENTROPY_OF_12_WORDS = 256'],
      ['privateEnabled', "z.boolean({ error: 'must be true or false' })", 'z.any()'],
    ],
  },
  {
    file: 'credentials/contact',
    tests: ['sessions-tables', 'credential-story', 'signed-retry-signers', 'credential-limits', 'credential-twins'],
    checks: [
      ['permission', "  requirePermission(caller, 'MANAGE')\n", ''],
      ['length of an e-mail', 'email: textOf(254)', 'email: textOf(999)'],
      ['form of an e-mail', ".regex(/^[^\\s@]+@[^\\s@]+$/, 'must be an e-mail address')", ''],
      [
        'length of a phone number',
        'phoneNumber: textOf(16)',
        'phoneNumber: textOf(99)',
        'the form, which is no longer',
      ],
      ['form of a phone number', '.regex(/^\\+[1-9]\\d{1,14}$/,', '.regex(/^/,'],
      [
        'unknown',
        "if (!customer) throw new ApiError('USER_NOT_FOUND'",
        "if (!customer) throw new ApiError('REFERENCE_NOT_FOUND'",
      ],
      ['taken', '      await refuseTaken(db, caller, change)\n', ''],
      [
        'the same credentials on the second leg',
        'if (now.map(({ id }) => id).join() !== tied.map(({ id }) => id).join())',
        'if (false)',
      ],
      ['taken on the second leg', '      await refuseTaken(tx, caller, change)\n', ''],
      [
        'lock of the customer',
        '      await lockCustomer(tx, caller, change.customerId)\n      const now',
        '      const now',
      ],
      ['lock of the value', '      await lockValue(tx, caller, change)\n', ''],
      ['kind', "if (parsed?.kind !== 'Customer') return null", 'if (!parsed) return null'],
      [
        'platform',
        'where: { platformId, id: parsed.uuid, isDeleted: false }',
        'where: { id: parsed.uuid, isDeleted: false }',
      ],
      [
        'not deleted',
        'where: { platformId, id: parsed.uuid, isDeleted: false }',
        'where: { platformId, id: parsed.uuid }',
      ],
      ['customerType changes nothing', '{ ...(input as object), customerType: undefined }', 'input'],
      ['customerType', 'if (customerType && customerType !== customer.customerType)', 'if (false)'],
      ['one at a time', 'if (changesEmail && changesPhone)', 'if (false)'],
      ['the same e-mail is no change', 'email && email !== customer.email', 'email'],
      ['the same phone number is no change', 'phoneNumber && phoneNumber !== customer.phoneNumber', 'phoneNumber'],
      ['at once only without credential', 'if (tied.length === 0) await write', 'await write'],
      [
        'lock of an untied change',
        '    await lockCustomer(tx, caller, change.customerId)\n    const tied',
        '    const tied',
      ],
      [
        'tied: platform',
        'where: { platformId, type, revokedAt: null, account: { customerId } },',
        'where: { type, revokedAt: null, account: { customerId } },',
      ],
      [
        'tied: type',
        'where: { platformId, type, revokedAt: null, account: { customerId } },',
        'where: { platformId, revokedAt: null, account: { customerId } },',
      ],
      [
        'tied: live',
        'where: { platformId, type, revokedAt: null, account: { customerId } },',
        'where: { platformId, type, account: { customerId } },',
      ],
      [
        'tied: customer',
        'where: { platformId, type, revokedAt: null, account: { customerId } },',
        'where: { platformId, type, revokedAt: null },',
      ],
      ['taken: platform', 'where method.platform_id = ${platformId}::uuid and method.type', 'where method.type'],
      ['taken: type', ' and method.type = ${type}::auth_method_type and', ' and'],
      ['taken: live', ' and method.revoked_at is null\n', '\n'],
      ['taken: whatever its case', 'lower(method.nickname) = lower(${value})', 'method.nickname = ${value}'],
      ['taken: another customer', ' and account.customer_id <> ${customerId}::uuid', ''],
      [
        'what follows: platform',
        'const tied = { platformId, type, revokedAt: null, account: { customerId } }',
        'const tied = { type, revokedAt: null, account: { customerId } }',
      ],
      [
        'what follows: type',
        'const tied = { platformId, type, revokedAt: null, account: { customerId } }',
        'const tied = { platformId, revokedAt: null, account: { customerId } }',
      ],
      [
        'what follows: live',
        'const tied = { platformId, type, revokedAt: null, account: { customerId } }',
        'const tied = { platformId, type, account: { customerId } }',
      ],
      [
        'what follows: customer',
        'const tied = { platformId, type, revokedAt: null, account: { customerId } }',
        'const tied = { platformId, type, revokedAt: null }',
      ],
      [
        'codes to the old address',
        '  await tx.otpChallenge.deleteMany({ where: { platformId, authMethod: tied } })\n',
        '',
      ],
      ['the credentials follow', '  await tx.authMethod.updateMany({ where: tied, data: { nickname: value } })\n', ''],
    ],
  },
  {
    file: 'credentials/rest-wallet',
    tests: ['credential-retry-bodies', 'sessions-tables'],
    checks: [
      ['customerType', "throw invalidInput('customerType'", "if (false) throw invalidInput('customerType'"],
      ['a retry need not repeat it', 'if (isFirstLeg && ', 'if ('],
    ],
  },
]
