import nodemailer from 'nodemailer'
import { DEFAULT_SENDER_NAME, type MessageStyle } from './settings.ts'
import type { Message, Transport } from './transport.ts'

interface EmailServer {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: string
  /** An address, or `Name <address>`. */
  readonly from: string
}

/** One connection per message. Every wait has a timeout, because the request for the challenge waits too. */
export const emailTransport = ({ url, from }: EmailServer): Transport => {
  const server = nodemailer.createTransport({
    url,
    dnsTimeout: 3_000,
    connectionTimeout: 3_000,
    greetingTimeout: 3_000,
    socketTimeout: 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (address, message) => {
    // An object, because a string with a comma would be parsed as several addresses.
    const to = { name: '', address }
    await server.sendMail({
      ...sendersOf(message.style, from),
      ...contentOf(message),
      to,
      envelope: { from: addressOf(from), to },
    })
  }
}

/**
 * The platform's address as `From`, with the operator's address as `Sender` (RFC 5322 §3.6.2). Bounces go to the operator.
 */
const sendersOf = (style: MessageStyle | null, operator: string) => {
  const { sendFromEmailAddress, sendFromEmailSenderName, replyToEmailAddress } = style ?? {}
  const name = sendFromEmailSenderName ?? DEFAULT_SENDER_NAME
  const isChanged = Boolean(sendFromEmailAddress ?? sendFromEmailSenderName)
  return {
    from: isChanged ? { name, address: sendFromEmailAddress ?? addressOf(operator) } : operator,
    ...(sendFromEmailAddress && { sender: operator }),
    ...(replyToEmailAddress && { replyTo: { name: '', address: replyToEmailAddress } }),
  }
}

const addressOf = (sender: string) => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()

const contentOf = ({ subject, text, style }: Message) => {
  if (!style?.logoUrl) return { subject, text }
  const paragraphs = text.split('\n\n').map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`)
  const logo = `<p><img src="${escapeHtml(style.logoUrl)}" alt="${escapeHtml(style.appName ?? '')}" height="48"></p>`
  return { subject, text, html: [logo, ...paragraphs].join('\n') }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
