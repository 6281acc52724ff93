// How long a value is as JSON, told without building the text.

/** Its bytes in UTF-8, or some number above `most` as soon as it is known to be longer than that. */
export const jsonBytes = (value: unknown, most: number): number => {
  let bytes = 0
  const add = (one: unknown): void => {
    if (bytes > most) return
    if (typeof one === 'string') bytes += bytesOf(one)
    else if (typeof one !== 'object' || one === null) bytes += String(one).length
    else if (Array.isArray(one)) {
      bytes += 2 + one.length
      for (const item of one) add(item)
    } else {
      bytes += 2
      for (const name in one) {
        bytes += bytesOf(name) + 2
        add(one[name as keyof typeof one])
      }
    }
  }
  add(value)
  return bytes
}

/** Printable ASCII stands for itself, but for quotes and backslashes. */
const bytesOf = (text: string): number =>
  /[^ !#-[\]-~]/.test(text) ? Buffer.byteLength(JSON.stringify(text)) : text.length + 2
