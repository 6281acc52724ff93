// The command line in production: serves until SIGTERM, or runs one command of the operator.
import { writeCompileCache } from '#core/compile-cache.ts'
import { describeEnvironment, parseEnvironment, StartupError } from '#core/environment.ts'

const HELP = `node dist/main.js [command]

  Without a command, serves GraphQL and REST from the database at DATABASE_URL. Every command but \`compile\` migrates that database to the
  schema of this release first. GET /livez and /readyz report on the process, and /metrics at METRICS_PORT returns its metrics. SIGTERM stops it gracefully
  within ten seconds.

  create-platform --name <name> --environment SANDBOX|PRODUCTION [--regulated true]
                               creates a platform, optionally a regulated financial institution, and an API token with all permissions
  create-token --platform <id> --permissions VIEW,TRANSACT,MANAGE
                               creates another API token with these permissions
  revoke-token --client-id <id>
                               revokes an API token at once
  create-uma-keys --platform <id>
                               creates the keys for the UMA domain of the platform's configuration, replacing any earlier ones
  set-uma-provider --platform <id> --domain <domain> --name <name> --fingerprint <sha256> [--credit-limit <satoshis>] [--allowed false]
                   [--url <address>] [--currencies USD,EUR] [--regions US,DE] [--lei <lei>]
                               adds or replaces a UMA provider that the platform deals with; without a credit limit it can be paid but cannot pay
  report-customer --platform <id> --customer <id> --status APPROVED|REJECTED|HOLD
                               sets the verification status of a customer in production; approval opens its accounts
  report-deposit --platform <id> --account <id> --amount <integer> --reference <text>
                               credits money that has arrived for an internal account in production, in the smallest unit of its currency
  report-payment --platform <id> --transaction <id> --status COMPLETED|FAILED
                               ends a payment in production with the result that the bank gave; what fails is refunded
  retry-jobs                   runs the jobs again that have failed for the last time, once their cause is mended (docs/scale.md)
  set-connection-settings      stores the gateway's connection settings on the role of DATABASE_URL, as a pooler needs (docs/scale.md)
  distribute                   distributes the tables over the nodes of Citus while no gateway is running (docs/scale.md); can be repeated
  compile                      keeps the gateway's compiled code in dist/.compile-cache without serving, so that an image starts faster on Node 22 and
                               newer, with the same arguments of Node

${describeEnvironment()}
`

const { problems } = parseEnvironment(process.env)
const [command, ...options] = process.argv.slice(2)
if (process.argv.includes('--help')) process.stdout.write(HELP)
else if (problems) refuse(problems)
else await start()

async function start() {
  try {
    // Imported here because these modules read the environment when they load.
    if (command === undefined) await (await import('./gateway.ts')).runGateway()
    else if (command === 'compile') await compile()
    else await (await import('./commands.ts')).runCommand(command, options)
  } catch (error) {
    if (error instanceof StartupError) refuse([error.message])
    else if (command === undefined) throw error
    else await logFault(error)
    process.exit()
  }
}

/** Node itself would print the whole line of the bundle that threw. */
async function logFault(error: unknown) {
  const { logFailure } = await import('#core/log.ts')
  logFailure({ task: String(command) }, error)
  process.exitCode = 1
}

async function compile() {
  await import('./gateway.ts')
  writeCompileCache()
  process.exit()
}

function refuse(lines: readonly string[]) {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}
