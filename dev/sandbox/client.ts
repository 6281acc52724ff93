// biome-ignore lint/suspicious/noExplicitAny: answers are read as the contract describes them.
type Json = any

/** Sends a request and returns its body. Throws an error with the body of a failure. */
export type Call = (method: string, path: string, body?: object) => Promise<Json>

/** `authorization` is the whole header. */
export const createClient =
  (from: string, authorization: string): Call =>
  async (method, path, body) => {
    const request = fetch(new URL(`/2025-10-13${path}`, from), {
      method,
      headers: {
        authorization,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await request.catch(() => {
      throw new Error(`No gateway answers at ${from}`)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
