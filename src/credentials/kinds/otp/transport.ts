/** Brings a text to an e-mail address or phone number. Throws unless it was accepted on the other side. */
export type Transport = (to: string, text: string) => Promise<void>
