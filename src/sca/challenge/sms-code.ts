// The code of a challenge by SMS. It is valid for its challenge, and only while the customer has the number that the code was sent to.
import { isCode, macOfCode } from '#credentials/kinds/otp/one-time-code.ts'

const placeOf = (challengeId: string, phone: string) => `${challengeId} ${phone}`

export const macOfSmsCode = (challengeId: string, phone: string, code: string) =>
  macOfCode(placeOf(challengeId, phone), code)

export const isSmsCode = (challengeId: string, phone: string, code: string, codeMac: Uint8Array): boolean =>
  isCode(placeOf(challengeId, phone), code, codeMac)
