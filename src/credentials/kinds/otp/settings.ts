// A platform's settings for one-time codes and for the messages that carry them (docs/domain/platform.md#embedded-wallets).
import { z } from 'zod'
import { emailAddress, requirePublicDomain } from '#core/addresses/email.ts'
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { clearable, textOf } from '#core/input.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Platform } from '#generated/prisma/client.ts'

export const DEFAULT_SENDER_NAME = 'Notifications'
/** The settings of a new platform. The database has the same defaults. */
const DEFAULTS = { otpLength: 6, alphanumeric: false, expirationSeconds: 300 } as const

/** One line that a mail program shows as it is: no control characters, and none that change the direction of the text. */
export const lineOf = (maxLength: number) =>
  textOf(maxLength).regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, 'must be one line without control characters')

export const httpsUrl = (maxLength: number) =>
  textOf(maxLength).refine((text) => /^https:\/\/[^/\s"<>]\S*$/.test(text) && URL.canParse(text), {
    error: 'must be an https:// URL',
  })

const lengthIs = 'must be an integer from 4 to 12'
const lifeIs = 'must be an integer from 1 to 86400'

export const WALLET_TEXTS = {
  appName: 'Name of the app in messages, at most 255 characters.',
  otpLength:
    'Number of characters of a one-time code, 4 to 12. Defaults to 6. In the sandbox the code is always `000000`.',
  alphanumeric: 'Whether codes contain letters too. False unless set.',
  expirationSeconds: 'Lifetime of a code in seconds, 1 to 86,400. Defaults to 300.',
  sendFromEmailAddress: 'The sender of emails. The mail server of the service must be allowed to send for its domain.',
  sendFromEmailSenderName: `Name of the sender of emails, at most 255 characters. \`${DEFAULT_SENDER_NAME}\` unless set.`,
  replyToEmailAddress: 'The address for replies to emails.',
  logoUrl: 'The https:// URL of an image at the top of emails, at most 512 characters.',
} as const

export const walletSettings = z.object(
  {
    appName: clearable(lineOf(255), WALLET_TEXTS.appName),
    otpLength: clearable(z.int(lengthIs).min(4, lengthIs).max(12, lengthIs), WALLET_TEXTS.otpLength),
    alphanumeric: clearable(z.boolean({ error: 'must be true or false' }), WALLET_TEXTS.alphanumeric),
    expirationSeconds: clearable(z.int(lifeIs).min(1, lifeIs).max(86_400, lifeIs), WALLET_TEXTS.expirationSeconds),
    sendFromEmailAddress: clearable(emailAddress, WALLET_TEXTS.sendFromEmailAddress),
    sendFromEmailSenderName: clearable(lineOf(255), WALLET_TEXTS.sendFromEmailSenderName),
    replyToEmailAddress: clearable(emailAddress, WALLET_TEXTS.replyToEmailAddress),
    logoUrl: clearable(httpsUrl(512), WALLET_TEXTS.logoUrl),
  },
  { error: 'must be an object' },
)
type WalletChanges = z.output<typeof walletSettings>

/** Throws 400 `INVALID_INPUT` for an address whose domain has no dot. Only the sandbox accepts such addresses. */
export const checkWalletSettings = (environment: Environment, changes: WalletChanges, path: string): void => {
  for (const name of ['sendFromEmailAddress', 'replyToEmailAddress'] as const) {
    const address = changes[name]
    if (address) requirePublicDomain(environment, address, `${path}.${name}`)
  }
}

/** Omitted settings are kept, and null restores the default. */
export const writeWalletSettings = async (tx: Tx, id: PlatformId, changes: WalletChanges): Promise<void> => {
  const { otpLength, alphanumeric, expirationSeconds, ...messages } = changes
  const data = {
    ...Object.fromEntries(Object.entries(messages).filter(([, value]) => value !== undefined)),
    ...(otpLength !== undefined && { otpLength: otpLength ?? DEFAULTS.otpLength }),
    ...(alphanumeric !== undefined && { otpAlphanumeric: alphanumeric ?? DEFAULTS.alphanumeric }),
    ...(expirationSeconds !== undefined && { otpExpirationSeconds: expirationSeconds ?? DEFAULTS.expirationSeconds }),
  }
  await tx.platform.update({ where: { id }, data, select: { id: true } })
}

/** The columns that shape the messages of a platform. */
export const MESSAGE_STYLE = {
  appName: true,
  sendFromEmailAddress: true,
  sendFromEmailSenderName: true,
  replyToEmailAddress: true,
  logoUrl: true,
} as const

/** A null column means the operator's default. */
export type MessageStyle = Pick<Platform, keyof typeof MESSAGE_STYLE>
