/** A row as Postgres sent it: each column is text or null. */
export type Row = readonly (string | null)[]

/** A column of bytes, which Postgres sends as `\x` and hexadecimal digits. */
export const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
