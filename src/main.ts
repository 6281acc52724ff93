// The production entry: everything from the environment, migrations, then serving until SIGTERM.
import { describeEnvironment, parseEnvironment, StartProblem } from '#core/environment.ts'

const HELP = `node dist/main.js

  Serves GraphQL and REST over the database of DATABASE_URL, and brings that database to this release's schema first.
  GET /livez, /readyz and /metrics are for machines. SIGTERM stops it within ten seconds, with nothing lost.

${describeEnvironment()}
`

const { problems } = parseEnvironment(process.env)
const [option] = process.argv.slice(2)
if (option === '--help') process.stdout.write(HELP)
else if (option !== undefined) refuse([`There is no option ${option}, only --help`])
else if (problems) refuse(problems)
else await start()

async function start() {
  try {
    // Only now: what it imports reads the environment at once.
    const { runGateway } = await import('./gateway.ts')
    await runGateway()
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
