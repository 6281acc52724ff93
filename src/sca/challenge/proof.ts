// Checks the proof of a challenge: a code by SMS, a code of an authenticator app, a recovery code, or a passkey.
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { openSecret } from '#core/keys.ts'
import { checkSignedAssertion } from '#credentials/kinds/passkey/assertion.ts'
import { loggingStaleCounter, raiseCounter } from '#credentials/kinds/passkey/counter.ts'
import { readClientData } from '#credentials/kinds/passkey/registration.ts'
import { passkeySettingsOf } from '#credentials/kinds/passkey/settings.ts'
import { db, identifier } from '#database/db.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { ScaChallenge } from '#generated/prisma/client.ts'
import { SANDBOX_CODE } from '#sca/contacts/verification.ts'
import { factorOf, type Owner, passkeyOf, totpOwner, verifiedPhoneOf } from '#sca/factors/factor.ts'
import { findRecoveryCode } from '#sca/factors/recovery-codes.ts'
import { stepOfCode } from '#sca/factors/totp.ts'
import type { Place } from '#sca/lockout.ts'
import type { ScaProof } from './challenge.ts'
import { isSmsCode } from './sms-code.ts'

/** 400 `INVALID_INPUT`. It counts as a failure. */
export class WrongProof extends ApiError {
  constructor(field: 'code' | 'passkeyAssertion', message: string, reason: string) {
    super('INVALID_INPUT', message, { field, reason })
  }
}

const wrongCode = () => new WrongProof('code', 'The code is wrong', 'WRONG_CODE')
const usedCode = () => new WrongProof('code', 'The code was used before', 'CODE_USED')

/** Uses the proof up in the transaction of its effect. Throws `WrongProof` when another call has used it. */
export type Spend = (tx: Tx) => Promise<void>

/** 400 `INVALID_INPUT` without the proof that the factor needs. It does not count as a failure. */
export const requireProof = ({ factor }: Pick<ScaChallenge, 'factor'>, { code, passkeyAssertion }: ScaProof): void => {
  if (factor === 'PASSKEY' && !passkeyAssertion) {
    throw invalidInput('passkeyAssertion', 'passkeyAssertion is required: the factor of the challenge is PASSKEY')
  }
  if (factor !== 'PASSKEY' && !code) {
    throw invalidInput('code', `code is required: the factor of the challenge is ${factor}`)
  }
}

/** Throws `WrongProof`. Changes nothing. */
export const checkProof = (
  caller: PlatformCaller,
  challenge: ScaChallenge,
  customer: Owner,
  proof: ScaProof,
): Promise<Spend> => {
  switch (challenge.factor) {
    case 'SMS_OTP':
      return checkSmsCode(challenge, customer, proof.code ?? '')
    case 'TOTP':
      return checkTotp(caller, customer, proof.code ?? '')
    case 'PASSKEY':
      return checkPasskey(caller, challenge, customer, proof)
  }
}

/** The code needs no statement, because the challenge holds it and is used up itself. The number must still be the customer's verified one. */
const checkSmsCode = async ({ id, codeMac }: ScaChallenge, customer: Owner, code: string): Promise<Spend> => {
  const phone = verifiedPhoneOf(customer)
  if (codeMac === null || phone === null || !isSmsCode(id, phone, code, codeMac)) throw wrongCode()
  return async (tx) => {
    const [found] = await tx.$queryRaw<object[]>`
      select from customers where platform_id = ${customer.platformId}::uuid and id = ${customer.id}::uuid
        and phone_number = ${phone} and verified_phone_number = ${phone} for share`
    if (!found) throw wrongCode()
  }
}

const checkTotp = async ({ environment }: PlatformCaller, customer: Place, code: string): Promise<Spend> => {
  const factor = await factorOf(db, customer, 'TOTP')
  if (!factor || factor.secret_sealed === null) throw wrongCode()
  if (environment === 'SANDBOX' && code === SANDBOX_CODE) return async () => {}
  const step = stepOfCode(openSecret(factor.secret_sealed, totpOwner(customer)), code, Number(await timeOf(db)))
  if (step === null) return checkRecoveryCode(customer, code)
  if (BigInt(step) <= (factor.last_step ?? 0n)) throw usedCode()
  return async (tx) => {
    const used = await tx.$executeRaw`
      update sca_factors set last_step = ${step}
      where platform_id = ${customer.platformId}::uuid and id = ${factor.id}::uuid and last_step < ${step}`
    if (used !== 1) throw usedCode()
  }
}

const checkRecoveryCode = async (customer: Place, text: string): Promise<Spend> => {
  const use = await findRecoveryCode(customer, text)
  if (use === null) throw wrongCode()
  return async (tx) => {
    if (!(await use(tx))) throw usedCode()
  }
}

const checkPasskey = async (
  caller: PlatformCaller,
  { passkeyAssertionOptions }: ScaChallenge,
  customer: Place,
  { passkeyAssertion, origin }: ScaProof,
): Promise<Spend> => {
  const factor = await factorOf(db, customer, 'PASSKEY')
  if (!factor || !passkeyAssertion) {
    throw new WrongProof('passkeyAssertion', 'The customer has no passkey', 'ASSERTION_CREDENTIAL')
  }
  if (origin && readClientData(passkeyAssertion.clientDataJson)?.origin !== origin) {
    throw new WrongProof('passkeyAssertion', 'The passkey assertion comes from another origin', 'ASSERTION_ORIGIN')
  }
  const place = { platformId: customer.platformId, id: factor.id }
  const { challenge } = passkeyAssertionOptions as { challenge: string }
  const settings = await passkeySettingsOf(caller)
  const { counter } = await asWrongProof(() =>
    loggingStaleCounter(place, async () =>
      checkSignedAssertion(passkeyAssertion, challenge, passkeyOf(factor), settings),
    ),
  )
  return (tx) =>
    asWrongProof(() => loggingStaleCounter(place, () => raiseCounter(tx, identifier('sca_factors'), place, counter)))
}

/** Converts the 401 with which wallet credentials refuse an assertion. */
const asWrongProof = async <T>(check: () => Promise<T>): Promise<T> => {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UNAUTHORIZED') throw error
    throw new WrongProof('passkeyAssertion', error.message, error.details?.reason ?? 'ASSERTION_SIGNATURE')
  }
}
