// Two concurrent calls about one customer's second factors: the answers are as if one came after the other.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'
import { fundsOf, quoteInput } from '#test/setup/payments/payers.ts'
import { createEuropean, createEuropeanPayer, enrolPasskey, enrolTotp } from '#test/setup/sca/europeans.ts'
import { type Answer, callRest, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { createExternalAccount } from '#test/setup/world.ts'

const CODE = '123456'
const wordOf = ({ status, body }: Answer) => `${status} ${body?.details?.reason ?? body?.code ?? ''}`.trim()
const words = (answers: readonly Answer[]) => answers.map(wordOf)

describe.each(scaFaces)('over $name', (face) => {
  it('a login by a passkey that is being removed is challenged first, and the passkey removed afterwards', async () => {
    const { platform, customerId } = await createEuropean()
    const { answer } = await enrolPasskey(platform, customerId)
    const start = () => face.startLogin(platform, { customerId, factor: 'PASSKEY' })
    await start()
    const [started, removed] = await interleaved('delete on sca_challenges', start, () =>
      face.remove(platform, customerId, answer.body.factor.credentialId),
    )
    expect(words([started, removed])).toEqual(['200', '204'])
    expect(started.body.scaChallenge.factor).toBe('PASSKEY')
    expect(wordOf(await start())).toBe('409 SCA_FACTOR_MISSING')
  })

  it('a login by a factor that was removed meanwhile is refused, although the customer has another', async () => {
    const { platform, customerId } = await createEuropean()
    const { factorId } = await enrolTotp(platform, customerId)
    const answers = await interleaved(
      'delete on sca_factors',
      () => face.remove(platform, customerId, factorId),
      () => face.startLogin(platform, { customerId, factor: 'TOTP' }),
    )
    expect(words(answers)).toEqual(['204', '409 SCA_FACTOR_MISSING'])
  })

  it('a code by SMS neither logs in nor pays after the phone number was changed meanwhile', async () => {
    const { platform, customerId, dollars, iban } = await createEuropeanPayer()
    const login = { customerId, factor: 'SMS_OTP' }
    const changePhone = (phoneNumber: string) =>
      callRest(platform, 'PATCH', `/customers/${customerId}`, { customerType: 'INDIVIDUAL', phoneNumber })
    const verifyPhone = async () => {
      await face.startContact(platform, customerId, 'PHONE')
      await face.confirmContact(platform, customerId, 'PHONE', CODE)
    }
    await face.startLogin(platform, login)
    const loggedIn = await interleaved(
      'update on customers',
      () => changePhone('+4915112345678'),
      () => face.completeLogin(platform, { ...login, code: CODE }),
    )
    expect(words(loggedIn)).toEqual(['200', '400 WRONG_CODE'])
    await verifyPhone()
    expect((await face.startLogin(platform, login)).body.status).toBe('CHALLENGED')
    const { body: quote } = await callRest(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    await callRest(platform, 'POST', `/quotes/${quote.id}/execute`, {})
    const paid = await interleaved(
      'update on customers',
      () => changePhone('+4915187654321'),
      () => face.authorize(platform, quote.id, { code: CODE }),
    )
    expect(words(paid)).toEqual(['200', '400 WRONG_CODE'])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })

  it('an enrolment that is being replaced cannot be confirmed, and one that is being confirmed cannot be replaced', async () => {
    const begun = async () => {
      const { platform, customerId } = await createEuropean()
      const start = () => face.enrol(platform, { customerId, type: 'TOTP' })
      const { secret } = (await start()).body
      return { start, confirm: () => face.confirm(platform, { customerId, secret, code: CODE }) }
    }
    const one = await begun()
    const replaced = await interleaved('update on sca_enrolments', one.start, one.confirm)
    expect(words(replaced)).toEqual(['201', '400 ENROLMENT_NOT_PENDING'])
    const other = await begun()
    const confirmed = await interleaved('delete on sca_enrolments', other.confirm, other.start)
    expect(words(confirmed)).toEqual(['200', '409 TOTP_ALREADY_ENROLLED'])
  })

  it('of two removals of one factor, one finds it', async () => {
    const { platform, customerId } = await createEuropean()
    const { factorId } = await enrolTotp(platform, customerId)
    const remove = () => face.remove(platform, customerId, factorId)
    expect(words(await interleaved('delete on sca_factors', remove, remove))).toEqual([
      '204',
      '404 REFERENCE_NOT_FOUND',
    ])
  })

  it('of two proofs of one challenge, the later one learns that the challenge is over', async () => {
    const { platform, customerId } = await createEuropean()
    const login = { customerId, factor: 'SMS_OTP' }
    await face.startLogin(platform, login)
    const complete = () => face.completeLogin(platform, { ...login, code: CODE })
    const answers = await interleaved('delete on sca_challenges', complete, complete)
    expect(words(answers)).toEqual(['200', '409 SCA_CHALLENGE_EXPIRED'])
  })

  it('a customer who is being deleted logs in, and trusts an account, before the deletion or not at all', async () => {
    const changed = async (write: string, isTrust: boolean) => {
      const { platform, customerId, id } = await createEuropean()
      const { id: account } = await createExternalAccount(platform, { customerId: id })
      const accountId = publicId('ExternalAccount', account)
      const login = { customerId, factor: 'SMS_OTP' }
      await (isTrust ? face.startTrust(platform, accountId, 'trust') : face.startLogin(platform, login))
      const answers = await interleaved(
        write,
        () => callRest(platform, 'DELETE', `/customers/${customerId}`),
        () =>
          isTrust
            ? face.confirmTrust(platform, accountId, 'trust', { code: CODE })
            : face.completeLogin(platform, { ...login, code: CODE }),
      )
      const kept = await db.$queryRaw`
        select (select count(*)::int from trusted_accounts where external_account_id = ${account}::uuid) as trusted,
          (select authenticated_until from sca_customers where id = ${id}::uuid) as "until"`
      return [...words(answers), kept]
    }
    const nothing = [{ trusted: 0, until: null }]
    expect(await changed('update on customers', true)).toEqual(['200', '410 CUSTOMER_DELETED', nothing])
    expect(await changed('update on customers', false)).toEqual(['200', '410 CUSTOMER_DELETED', nothing])
  })
})
