// A platform's settings for the codes that add a card to a phone's wallet (docs/domain/platform.md#card-tokenization).
import { z } from 'zod'
import { emailAddress, requirePublicDomain } from '#core/addresses/email.ts'
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { clearable, textOf } from '#core/input.ts'
import { httpsUrl, lineOf } from '#credentials/kinds/otp/settings.ts'
import type { Tx } from '#database/unit-of-work.ts'

export const TOKENIZATION_TEXTS = {
  displayName: 'Name of the app in messages, at most 255 characters.',
  logoUrl: 'The https:// URL of an image at the top of emails, at most 512 characters.',
  email: 'Emails with codes.',
  sms: 'Text messages with codes.',
  fromAddress: 'The sender.',
  fromName: 'Name of the sender, at most 255 characters.',
  replyToAddress: 'The address for replies.',
  subject: 'The subject, at most 255 characters.',
  bodyText: 'The text, at most 2,000 characters.',
  templateSid: 'Id of the template at the SMS provider, at most 64 characters.',
  smsBodyText: 'The text, at most 480 characters.',
} as const

export const tokenizationEmail = z.object(
  {
    fromAddress: clearable(emailAddress, TOKENIZATION_TEXTS.fromAddress),
    fromName: clearable(lineOf(255), TOKENIZATION_TEXTS.fromName),
    replyToAddress: clearable(emailAddress, TOKENIZATION_TEXTS.replyToAddress),
    subject: clearable(lineOf(255), TOKENIZATION_TEXTS.subject),
    bodyText: clearable(textOf(2000), TOKENIZATION_TEXTS.bodyText),
  },
  { error: 'must be an object' },
)

export const tokenizationSms = z.object(
  {
    templateSid: clearable(lineOf(64), TOKENIZATION_TEXTS.templateSid),
    bodyText: clearable(textOf(480), TOKENIZATION_TEXTS.smsBodyText),
  },
  { error: 'must be an object' },
)

export const tokenizationSettings = z.object(
  {
    displayName: clearable(lineOf(255), TOKENIZATION_TEXTS.displayName),
    logoUrl: clearable(httpsUrl(512), TOKENIZATION_TEXTS.logoUrl),
    email: clearable(tokenizationEmail, TOKENIZATION_TEXTS.email),
    sms: clearable(tokenizationSms, TOKENIZATION_TEXTS.sms),
  },
  { error: 'must be an object' },
)
type TokenizationChanges = z.output<typeof tokenizationSettings>

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], null | undefined> }

/** The settings as they are stored. Settings that are not set are absent. */
export type TokenizationSettings = Present<Omit<TokenizationChanges, 'email' | 'sms'>> & {
  readonly email?: Present<z.output<typeof tokenizationEmail>>
  readonly sms?: Present<z.output<typeof tokenizationSms>>
}

/** Throws 400 `INVALID_INPUT` for an address whose domain has no dot. Only the sandbox accepts such addresses. */
export const checkTokenization = (environment: Environment, { email }: TokenizationChanges, path: string): void => {
  for (const name of ['fromAddress', 'replyToAddress'] as const) {
    const address = email?.[name]
    if (address) requirePublicDomain(environment, address, `${path}.email.${name}`)
  }
}

/** Omitted settings are kept, and null clears one. The platform's row must be locked. */
export const writeTokenization = async (tx: Tx, id: PlatformId, changes: TokenizationChanges): Promise<void> => {
  const { cardTokenization } = await tx.platform.findUniqueOrThrow({
    where: { id },
    select: { cardTokenization: true },
  })
  const data = { cardTokenization: merged(cardTokenization as Settings, changes) }
  await tx.platform.update({ where: { id }, data, select: { id: true } })
}

interface Settings {
  readonly [name: string]: string | Settings
}

/** Merges as RFC 7396 does. */
const merged = (before: Settings, changes: object): Settings => {
  const after: Record<string, string | Settings> = { ...before }
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete after[name]
    else if (typeof change === 'object') after[name] = merged((after[name] ?? {}) as Settings, change)
    else if (change !== undefined) after[name] = change
  }
  return after
}
