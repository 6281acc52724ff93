/** A row as Postgres sent it: each column is text or null. */
export type Row = readonly (string | null)[]
