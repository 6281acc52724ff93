// The email addresses that a customer may have.
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

const GOOD = [
  'ada@mail.example',
  'Ada.Lovelace+bank@mail.example',
  "o'neil_-x!#$%&*/=?^`{|}~@sub-1.mail.example",
  `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(3)}example`.slice(-254),
]

const BAD = [
  ['several recipients', 'victim,attacker@y.example'],
  ['several recipients, each whole', 'victim@x.example,attacker@y.example'],
  ['several recipients by a semicolon', 'victim@x.example;attacker@y.example'],
  ['a name before it', 'Ada <ada@mail.example>'],
  ['a comment', 'ada(x)@mail.example'],
  ['a quoted name', '"ada"@mail.example'],
  ['an address literal', 'ada@[192.0.2.1]'],
  ['BEL', 'a@b.example\u0007'],
  ['a line break', 'a@b.example\r\nBcc: x@y.example'],
  ['a line break behind it', 'a@b.example\n'],
  ['a space', 'a b@c.example'],
  ['text that runs from right to left', 'a\u202e@b.example'],
  ['a zero-width space', 'a\u200b@b.example'],
  ['a zero-width joiner in the domain', 'a@b\u200d.example'],
  ['a letter that looks like another', '\u0430da@mail.example'],
  ['two ats', 'a@b@c.example'],
  ['no domain', 'a@'],
  ['no name', '@b.example'],
  ['an empty label', 'a@b..example'],
  ['a hyphen first', 'a@-b.example'],
  ['an underscore in the domain', 'a@b_c.example'],
  ['255 characters', `${'a'.repeat(243)}@mail.example`.slice(-255)],
] as const

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  const change = async (email: string, on = platform) => {
    const { id } = await createCustomer(on, { email: null })
    const type = face.name === 'REST' ? { customerType: 'INDIVIDUAL' } : {}
    const answer = await face.updateCustomer(on, `Customer:${id}`, { ...type, email })
    const stored = await db.customer.findFirstOrThrow({ where: { id } })
    return { status: answer.status, field: answer.details?.field, stored: stored.email }
  }

  it.each(GOOD)('%s is accepted', async (email) => {
    expect(await change(email)).toEqual({ status: 200, stored: email })
  })

  it.each(BAD)('%s is refused: %j', async (_what, email) => {
    expect(await change(email)).toEqual({ status: 400, field: expect.stringMatching(/email$/), stored: null })
  })

  it('outside the sandbox, the domain must contain a dot', async () => {
    const production = await createPlatform()
    await db.platform.update({ where: { id: production.id }, data: { environment: 'PRODUCTION' } })
    expect(await change('ada@localhost')).toMatchObject({ status: 200 })
    expect(await change('ada@localhost', production)).toEqual({
      status: 400,
      field: expect.stringMatching(/email$/),
      stored: null,
    })
    expect(await change('ada@mail.example', production)).toMatchObject({ status: 200 })
  })
})
