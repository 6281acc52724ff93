// The ids of the list that was shown last, for "next" and "previous" on the screen of one payment.
let ids: readonly string[] = []

export const rememberList = (shown: readonly string[]) => {
  ids = shown
}

export const neighbourOf = (id: string, by: 1 | -1): string | undefined => {
  const at = ids.indexOf(id)
  return at < 0 ? undefined : ids[at + by]
}
