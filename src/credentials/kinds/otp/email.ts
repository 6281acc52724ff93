import nodemailer from 'nodemailer'
import type { Transport } from './transport.ts'

interface EmailServer {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: string
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
  return async (address, text) => {
    // As an object: a string with a comma would be parsed as several addresses.
    await server.sendMail({ from, to: { name: '', address }, subject: 'Your verification code', text })
  }
}
