// Delivery of one-time codes: by email and SMS in production. The sandbox sends none.
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { LoggableError, logFailure } from '#core/log.ts'
import { withoutSlot } from '#http/platform-queue.ts'
import type { OtpType } from './address.ts'
import { emailTransport } from './email.ts'
import type { MessageStyle } from './settings.ts'
import { smsTransport } from './sms.ts'
import type { Message, Transport } from './transport.ts'

interface Code {
  readonly type: OtpType
  /** Email address or E.164 phone number. */
  readonly to: string
  readonly code: string
  readonly expirationSeconds: number
  /** The platform's style. Without it, messages have the operator's. */
  readonly style?: MessageStyle
}

/** They keep no connection, so each message has its own. */
const transports: Readonly<Record<OtpType, () => Transport | null>> = {
  EMAIL_OTP: () => config.email && emailTransport(config.email),
  SMS_OTP: () => config.sms && smsTransport(config.sms),
}

/** 503 `SERVICE_UNAVAILABLE` when no transport for this type is configured. The sandbox needs none. */
export const requireTransport = (environment: Environment, type: OtpType) => {
  if (environment === 'PRODUCTION') transportOf(type)
}

/** Whether codes of this type reach their address. The sandbox sends none. */
export const canDeliver = (environment: Environment, type: OtpType): boolean =>
  environment === 'SANDBOX' || transports[type]() !== null

const transportOf = (type: OtpType): Transport => {
  const transport = transports[type]()
  if (!transport) throw new ApiError('SERVICE_UNAVAILABLE', `Delivery of ${type} codes is not configured`)
  return transport
}

/** 503 `SERVICE_UNAVAILABLE` unless the message was accepted for delivery. */
export const deliverCode = async (environment: Environment, { type, to, ...message }: Code) => {
  if (environment === 'SANDBOX') return
  const deliver = transportOf(type)
  try {
    await withoutSlot(() => deliver(to, messageOf(message)))
  } catch (error) {
    logFailure({ task: `deliver ${type}` }, new LoggableError(`Not delivered: ${causeOf(error)}`))
    throw new ApiError('SERVICE_UNAVAILABLE', 'The code could not be sent. Try again in a moment')
  }
}

const messageOf = ({ code, expirationSeconds, style }: Omit<Code, 'type' | 'to'>): Message => {
  const what = `${style?.appName ? `${style.appName} ` : ''}verification code`
  const text =
    `Your ${what} is ${code}. It is valid for ${durationOf(expirationSeconds)}.\n\n` +
    'Do not share it with anyone. If you did not ask for a code, you can ignore this message.'
  return { subject: `Your ${what}`, text, style: style ?? null }
}

const durationOf = (seconds: number) => {
  if (seconds % 3600 === 0) return counted(seconds / 3600, 'hour')
  return seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The codes and names of the error and its causes. Their messages are left out: they may contain the address or the code. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  const { name, code, responseCode, cause } = error as Error & { code?: unknown; responseCode?: number }
  // The code of a timeout is a number that says nothing.
  const own = [typeof code === 'string' ? code : name, responseCode].filter((part) => part !== undefined).join(' ')
  return cause === undefined ? own : `${own}, ${causeOf(cause)}`
}
