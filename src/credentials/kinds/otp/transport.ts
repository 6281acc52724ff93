import type { MessageStyle } from './settings.ts'

export interface Message {
  readonly subject: string
  readonly text: string
  readonly style: MessageStyle | null
}

/** Sends a message to an email address or phone number. Throws unless the other side accepted it. */
export type Transport = (to: string, message: Message) => Promise<void>
