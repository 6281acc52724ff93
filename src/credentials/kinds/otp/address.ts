// Where the codes of each OTP type go: the customer's email address or phone number.
import type { Activity } from '#credentials/signed-retry/activity.ts'

export const OTP_TYPES = ['EMAIL_OTP', 'SMS_OTP'] as const
export type OtpType = (typeof OTP_TYPES)[number]

export const isOtpType = (type: unknown): type is OtpType => OTP_TYPES.some((otpType) => otpType === type)

interface Address {
  readonly column: 'email' | 'phoneNumber'
  /** The column with the address that a code has verified. */
  readonly verified: 'verifiedEmail' | 'verifiedPhoneNumber'
  readonly name: string
  /** The activity that a session signs to send codes to `value`. */
  readonly activityOf: (value: string, userId: string) => Activity
}

export const ADDRESSES: Readonly<Record<OtpType, Address>> = {
  EMAIL_OTP: {
    column: 'email',
    verified: 'verifiedEmail',
    name: 'email address',
    activityOf: (userEmail, userId) => ({
      type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
      parameters: { userEmail, userId },
    }),
  },
  SMS_OTP: {
    column: 'phoneNumber',
    verified: 'verifiedPhoneNumber',
    name: 'phone number',
    activityOf: (userPhoneNumber, userId) => ({
      type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
      parameters: { userPhoneNumber, userId },
    }),
  },
}
