// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is source that is quoted.
import type { Checked } from './check.ts'

export const encodings: readonly Checked[] = [
  {
    file: 'core/strict-json',
    tests: ['stamps', 'oidc-tokens', 'passkey-registrations'],
    checks: [
      ['a member twice', 'if (names?.has(name)) return name', ''],
      ['a member twice, in the innermost object', 'open.at(-1)', 'open.at(0)'],
      ['the end of an object', '      open.pop()', ''],
      ['names as they are meant, not as written', 'JSON.parse(token.slice(0, -1))', 'token.slice(0, -1)'],
      ['a text before the colon, not a value', "token.endsWith(':')", "token.startsWith('\"')"],
      ['depth', '(levels > 0 && ', '(true || '],
      ['ill-formed UTF-8', 'fatal: true', 'fatal: false'],
      ['byte order mark', 'ignoreBOM: true', 'ignoreBOM: false'],
      ['an object, not a list', '&& !Array.isArray(value)', ''],
      ['an object, not null', ' && value !== null', ''],
      [
        'ambiguity',
        'return isShallow(value) && repeatedMember(text) === undefined ? value : undefined',
        'return value',
      ],
      [
        'what is not JSON is no failure of ours',
        '  } catch {\n    return undefined\n  }\n  return isShallow',
        "  } catch {\n    throw new Error('not JSON')\n  }\n  return isShallow",
      ],
      [
        'nor what is not UTF-8',
        '.decode(bytes))\n  } catch {\n    return undefined',
        ".decode(bytes))\n  } catch {\n    throw new Error('not UTF-8')",
      ],
    ],
  },
  {
    file: 'core/base64url',
    tests: ['stamps', 'oidc-tokens', 'passkey-registrations'],
    checks: [
      ['the one way of writing', "bytes.toString('base64url') === text ? bytes : undefined", 'bytes'],
      ['a text', ".string({ error: 'must be a string' })", '.coerce.string()'],
      ['not empty', ".min(1, 'must not be empty')", ''],
      ['length', '.max(Math.ceil((maxBytes * 4) / 3), `must be at most ${maxBytes} bytes`)', ''],
      [
        'encoding of a field',
        ".refine((text) => decodeBase64url(text) !== undefined, 'must be base64url without padding')",
        '',
      ],
    ],
  },
  {
    file: 'credentials/stamp',
    tests: ['stamps', 'signed-retry-gate'],
    checks: [
      ['length', 'value.length > MAX_LENGTH', 'false'],
      ['figure of the length', 'const MAX_LENGTH = 4096', 'const MAX_LENGTH = 5000'],
      ['base64url', 'const bytes = decodeBase64url(value)', "const bytes = Buffer.from(value, 'base64url')"],
      [
        'JSON object',
        "if (!isJsonObject(stamp)) throw malformed('STAMP_JSON', 'is not a JSON object')",
        'if (!isJsonObject(stamp)) return { publicKey: new Uint8Array(), signature: new Uint8Array() }',
      ],
      ['strings', '!areStrings || ', ''],
      ['publicKey a string', "typeof key === 'string' && ", ''],
      ['scheme a string', "typeof scheme === 'string' && ", ''],
      ['signature a string', " && typeof signature === 'string'", ''],
      ['no further members', 'Object.keys(others).length > 0', 'false'],
      ['scheme', 'if (scheme !== SCHEME)', 'if (false)'],
      [
        'point on the curve',
        "throw malformed('STAMP_PUBLIC_KEY'",
        "return { publicKey: new Uint8Array(), signature: new Uint8Array() }\n  if (false) throw malformed('STAMP_PUBLIC_KEY'",
      ],
      ['hex of DER', 'if (!SIGNATURE.test(signature))', 'if (false)'],
      ['shortest DER', '{8,72}$/', '{0,72}$/'],
      ['longest DER', '{8,72}$/', '{8,99}$/'],
      [
        'signature',
        'verifySignature(stamp.publicKey, payload, stamp.signature)',
        'true || verifySignature(stamp.publicKey, payload, stamp.signature)',
      ],
    ],
  },
  {
    file: 'credentials/p256',
    tests: ['stamps', 'hpke', 'credential-survivors'],
    checks: [
      ['hex and form of a key', 'if (!PUBLIC_KEY.test(hex)) return undefined', ''],
      ['compressed: sign', '0[23][0-9a-fA-F]{64}', '0[0-9][0-9a-fA-F]{64}'],
      ['uncompressed, not hybrid', '04[0-9a-fA-F]{128}', '0[467][0-9a-fA-F]{128}'],
      ['nothing before a key', '/^(?:0[23]', '/(?:0[23]'],
      ['nothing behind a key', '{128})$/', '{128})/'],
      [
        'what is no point is no failure of ours',
        '  } catch {\n    return undefined',
        "  } catch {\n    throw new Error('no point')",
      ],
      ['a scalar of 32 bytes', 'privateKey.set(scalar, COORDINATE_BYTES - scalar.length)', 'privateKey.set(scalar)'],
      ['clientPublicKey a text', "  .string({ error: 'must be a string' })\n  .check", '  .coerce.string()\n  .check'],
      ['clientPublicKey', 'if (parsePublicKey(value) !== undefined) return', 'return'],
      ['clientPublicKey on the curve', 'parsePublicKey(value) !== undefined', 'PUBLIC_KEY.test(value)'],
      [
        'DER alone',
        "createPublicKey({ key: toJwk(publicKey), format: 'jwk' }), derSignature)",
        "{ key: toJwk(publicKey), format: 'jwk', ...(derSignature.length === 64 && { dsaEncoding: 'ieee-p1363' }) } as never, derSignature)",
      ],
      ['the hash', "verify('sha256', Buffer.from(message)", "verify('sha384', Buffer.from(message)"],
    ],
  },
  {
    file: 'credentials/bundles',
    tests: ['hpke', 'credential-tables-verify', 'credential-survivors'],
    checks: [
      ['length', 'text.length > MAX_LENGTH', 'false'],
      ['figure of the length', 'const MAX_LENGTH = 4096', 'const MAX_LENGTH = 3000'],
      ['exactly two members', 'z.strictObject({', 'z.object({'],
      ['encappedPublic uncompressed', '.regex(/^04[0-9a-fA-F]{128}$/)', ''],
      ['ciphertext hex', '.regex(/^(?:[0-9a-fA-F]{2})+$/)', ''],
      ['strict JSON', 'parseStrictJson(text)', 'JSON.parse(text)'],
      [
        'encappedPublic on the curve',
        'throw invalidInput(FIELD, `${FIELD} has an encappedPublic',
        'return { encapsulatedKey: new Uint8Array(), box: new Uint8Array() }\n    throw invalidInput(FIELD, `${FIELD} has an encappedPublic',
      ],
      ['otp_code not empty', 'otp_code: z.string().min(1)', 'otp_code: z.string()'],
      ['public_key a string', 'public_key: z.string()', 'public_key: z.any()', 'parsePublicKey, which reads hex alone'],
      ['otp_code a string', 'otp_code: z.string().min(1)', 'otp_code: z.coerce.string().min(1)'],
      [
        'public_key on the curve',
        "if (publicKey === undefined) throw refused('must seal a",
        "if (publicKey === undefined) return { code: data.otp_code, publicKey: new Uint8Array() }\n  if (publicKey === undefined) throw refused('must seal a",
      ],
      ['strict JSON in the box', 'parseStrictJsonBytes(plain)', "JSON.parse(Buffer.from(plain).toString('utf8'))"],
      ['a wallet is signed in production', "environment === 'PRODUCTION'", 'false'],
      ['a wallet is not signed in sandbox', "environment === 'PRODUCTION'", 'true'],
      ['the target is signed', 'dataSignature: signData(data),', "dataSignature: signData(Buffer.from('other')),"],
    ],
  },
  {
    file: 'credentials/signing-key',
    tests: ['stamps'],
    checks: [
      ['low S', 's > ORDER / 2n ? ORDER - s : s', 's'],
      ['integers stay positive', '/^[89a-f]/.test(hex) ? `00${hex}` : hex', 'hex'],
      ['integers as short as can be', ".replace(/^(?:00)+/, '')", ''],
    ],
  },
  {
    file: 'credentials/hpke',
    tests: ['hpke'],
    checks: [
      ['info', "'turnkey_hpke'", "'turnkey'"],
      ['what does not open is no failure of ours', 'if (error instanceof HpkeError) return undefined', ''],
      [
        'AAD of what is sealed',
        'sender.seal(plain, Buffer.concat([encapsulatedKey, recipient]))',
        'sender.seal(plain)',
      ],
      [
        'AAD of what is opened',
        'recipient.open(box, Buffer.concat([encapsulatedKey, publicKeyOfPrivate(privateKey)]))',
        'recipient.open(box)',
      ],
    ],
  },
  {
    file: 'credentials/fingerprint',
    tests: ['credential-retry-bodies', 'signed-retry-signers', 'signed-retry-gate'],
    checks: [['input', 'canonicalJson(input ?? {})', 'canonicalJson({})']],
  },
  {
    file: 'core/canonical-json',
    tests: ['credential-retry-bodies', 'signed-retry-signers', 'signed-retry-gate'],
    checks: [
      ['order of the members', '      .sort(([one], [other]) => (one < other ? -1 : 1)),', ''],
      ['null is absent', '      .filter(([, member]) => member !== null)\n', ''],
      [
        'in inner objects, too',
        '(_key, part: unknown) => (isJsonObject(part)',
        "(key, part: unknown) => (key === '' && isJsonObject(part)",
      ],
    ],
  },
]
