// What the commands of the project have in common: options, --help, setup, and TypeScript in the same process, which gets the signals.
import { parseArgs } from 'node:util'
import { setup } from './setup.mjs'

/**
 * `run` gets the options and must be what imports TypeScript. It is preceded by `problemOf`, which says in a sentence what is
 * wrong with the options, or nothing.
 */
export const command = async ({ name, help, options, problemOf = () => undefined, run }) => {
  const refuse = (problem) => {
    console.error(`${problem} See ${name} -- --help`)
    process.exit(1)
  }
  const { help: wantsHelp, ...values } = parse({ ...options, help: { type: 'boolean', default: false } }, refuse)
  if (wantsHelp) return console.log(help)
  const problem = problemOf(values)
  if (problem) refuse(problem)
  await setup()
  const { register } = await import('tsx/esm/api')
  register()
  await run(values)
}

const parse = (options, refuse) => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return refuse(`${error.message.split('. ')[0]}.`)
  }
}
