// The production entry: everything from the environment, migrations, then serving until SIGTERM, or one command of an operator.
import { describeEnvironment, parseEnvironment, StartProblem } from '#core/environment.ts'

const HELP = `node dist/main.js [command]

  Without a command it serves GraphQL and REST over the database of DATABASE_URL. It brings that database to this release's schema
  first, as every command does.
  GET /livez and /readyz are for machines, as is /metrics at METRICS_PORT. SIGTERM stops it within ten seconds, with nothing lost.

  create-platform --name <name> --environment SANDBOX|PRODUCTION
                               a platform and its first API token, with all permissions
  create-token --platform <id> --permissions VIEW,TRANSACT,MANAGE
                               one more token, with the permissions that are named
  revoke-token --client-id <id>
                               ends that token at once

${describeEnvironment()}
`

const { problems } = parseEnvironment(process.env)
const [command, ...options] = process.argv.slice(2)
if (process.argv.includes('--help')) process.stdout.write(HELP)
else if (problems) refuse(problems)
else await start()

async function start() {
  try {
    // Only now: what they import reads the environment at once.
    if (command === undefined) await (await import('./gateway.ts')).runGateway()
    else await (await import('./commands.ts')).runCommand(command, options)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    refuse([error.message])
    process.exit()
  }
}

function refuse(lines: readonly string[]) {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}
