// Runs a command of the project: parses options, handles --help, and sets up.
import { parseArgs } from 'node:util'
import { setup } from './setup.mjs'

/**
 * `problemOf` returns a sentence about invalid options, or a falsy value. `run` gets the options. It must import whatever needs packages
 * itself, because they are installed just before. `forTests` installs what only tests and benchmarks need as well. `prepare` replaces the setup.
 */
export const command = async ({
  name,
  help,
  options,
  problemOf = () => undefined,
  forTests = false,
  prepare = setup,
  run,
}) => {
  const refuse = (problem) => {
    console.error(`${problem} See ${name} -- --help.`)
    process.exit(1)
  }
  const { help: wantsHelp, ...values } = parse({ ...options, help: { type: 'boolean', default: false } }, refuse)
  if (wantsHelp) return console.log(help)
  const problem = problemOf(values)
  if (problem) refuse(problem)
  await prepare({ forTests })
  await run(values)
}

const parse = (options, refuse) => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${error.message.split('. ')[0]}.`)
  }
}
