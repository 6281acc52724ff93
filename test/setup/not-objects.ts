// Bodies that are not a JSON object, or that parsers read differently.
export const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))))

interface Body {
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export const NOT_OBJECTS: Readonly<Record<string, Body>> = {
  nothing: {},
  'empty text': { body: '' },
  'white space': { body: ' \n' },
  'broken JSON': { body: '{"type":' },
  'two objects': { body: '{}{}' },
  'single quotes': { body: "{'type':'PASSKEY'}" },
  NaN: { body: '{"a":NaN}' },
  'an array': { body: '[{}]' },
  text: { body: '"{}"' },
  'a number': { body: '1' },
  null: { body: 'null' },
  'bytes that are no UTF-8': { body: bytes('{"a":"', [0xff], '"}') },
  'half a surrogate pair in bytes': { body: bytes('{"a":"', [0xed, 0xa0, 0x80], '"}') },
  'UTF-16': { body: new Uint8Array(Buffer.from('{}', 'utf16le')) },
  'a member twice': { body: '{"type":"PASSKEY","type":"EMAIL_OTP"}' },
  'a member twice, written in two ways': { body: '{"type":1,"t\\u0079pe":2}' },
  'a member twice, far inside': { body: '{"a":[{},{"b":{"amount":1,"c":{"amount":2},"amount" :3}}]}' },
  'an object of more than 1,000 members': {
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`member${n}`, n]))),
  },
  'more than 10,000 lists and objects': { body: `{"a":[${Array(10_000).fill('{}').join()}]}` },
  'a byte order mark': { body: bytes([0xef, 0xbb, 0xbf], '{}') },
}
