/** Sends a text to an email address or phone number. Throws unless the other side accepted it. */
export type Transport = (to: string, text: string) => Promise<void>
