// Measures the JSON size of a value without building the text.

/** The size in UTF-8 bytes. It stops counting once the size exceeds `most`, and returns some number above it. */
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

/** Printable ASCII takes one byte per character, except quotes and backslashes. */
const bytesOf = (text: string): number =>
  /[^ !#-[\]-~]/.test(text) ? Buffer.byteLength(JSON.stringify(text)) : text.length + 2
