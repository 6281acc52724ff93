// Published test vectors, which are stored beside the repository and are not part of it.
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

const folder = new URL('../../../../shared/vectors/', import.meta.url)

/** A test over a file of vectors, reported as skipped if the file is missing. */
export const testVectors = <T>(name: string, file: string, run: (vectors: T) => unknown) => {
  const url = new URL(file, folder)
  const isThere = existsSync(url)
  test.skipIf(!isThere)(isThere ? name : `${name} (skipped: no ${file})`, () =>
    run(JSON.parse(readFileSync(url, 'utf8'))),
  )
}
