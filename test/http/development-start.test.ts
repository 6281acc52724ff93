// The messages of `npm start` and `npm run seed` when something prevents them.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startPostgres } from '../../dev/postgres.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts without the setup, which has already run for the tests. */
const start = (PORT: string, andThen = '') =>
  spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--eval',
      `import('./dev/start.ts').then(({ start }) => { start(() => import('./dev/serve.ts'), { seed: false }); ${andThen} })`,
    ],
    { cwd: root, env: { ...process.env, PORT }, encoding: 'utf8' },
  )

it('a port that another process uses', async () => {
  const other = createServer().listen(0)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { status, stderr } = start(String(port))
  other.close()
  expect(status).toBe(1)
  expect(stderr).toBe(
    `failed\nPORT ${port} is in use by another process. Choose another port, or 0 for any free one.\n`,
  )
})

it('an invalid port', () => {
  const { status, stderr } = start('http')
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('PORT must be a number\n') })
})

it('a stop while the database is opened, after which nothing begins', () => {
  const { status, stdout, stderr } = start('0', `process.kill(process.pid, 'SIGINT')`)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^Opening the database … \d+\.\d s\n$/)
})

it('a platform for bulk transactions without their number', () => {
  const args = ['dev/seed.mjs', '--platform', 'other']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: '--platform needs --transactions. See npm run seed -- --help.\n',
  })
})

it('another instance that is running, by its process id', async () => {
  const folder = join(tmpdir(), `paygraph-owned-${process.pid}`)
  const postgres = await startPostgres(folder, { throwAway: true })
  try {
    await expect(startPostgres(folder)).rejects.toThrow(
      `Another process is already using ${folder}. Stop it first: process ${process.pid}.`,
    )
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
