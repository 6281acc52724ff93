import nodemailer from 'nodemailer'
import type { Transport } from './transport.ts'

interface EmailServer {
  /** `smtp://` or `smtps://`, with user and password where the server asks for them. */
  readonly url: string
  readonly from: string
}

/** One connection for each message. Every wait is bounded: the caller of the challenge waits too. */
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
  return async (address, text) => {
    // As an object: text with a comma in it would be several addresses.
    await server.sendMail({ from, to: { name: '', address }, subject: 'Your verification code', text })
  }
}
