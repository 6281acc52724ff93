// Writes `docs/operations.md`: every REST operation with the GraphQL fields that do the same.
import { type GraphQLSchema, isInterfaceType, isObjectType, isUnionType } from 'graphql'
import type { Operations } from '#rest/operation.ts'

const INTRODUCTION = `# Operations

Every operation of REST with the GraphQL fields that do the same. \`Query.node ... on Card\` is \`node(id:)\` with a fragment on \`Card\`. Do not edit:
\`npm run generate\` writes this page from the REST contract and the GraphQL schema.
`

/** Why no document can select the field, `Type.field` or `Type.field ... on Other`. Undefined if a document can. */
export const problemOf = (schema: GraphQLSchema, name: string): string | undefined => {
  const [, owner = '', field = '', fragment] = /^(\w+)\.(\w+)(?: \.\.\. on (\w+))?$/.exec(name) ?? []
  const type = schema.getType(owner)
  const found = isObjectType(type) ? type.getFields()[field] : undefined
  if (!found) return `GraphQL has no field ${name}`
  if (fragment === undefined) return undefined
  const [answer, member] = [found.type, schema.getType(fragment)]
  const isAbstract = isInterfaceType(answer) || isUnionType(answer)
  return isAbstract && isObjectType(member) && schema.isSubType(answer, member)
    ? undefined
    : `${owner}.${field} is never ${fragment}`
}

/** A mark splits the cells of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|')

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const code = (text: string) => `\`${text}\``

/** The page. Throws if an operation names a field that the schema does not have. */
export const operationsPage = (contract: Operations, schema: GraphQLSchema): string => {
  const operations = Object.entries(contract).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )
  const problems = operations.flatMap(({ name, 'x-graphql': fields }) =>
    fields.flatMap((field) => problemOf(schema, field) ?? []).map((problem) => `${name}: ${problem}`),
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const areas = new Set(operations.flatMap(({ tags = [] }) => tags))
  const sections = [...areas].map((area) => {
    const rows = operations
      .filter(({ tags }) => tags?.includes(area))
      .map(({ name, summary = '', 'x-graphql': fields }) => [code(name), fields.map(code).join(', '), cell(summary)])
    return `\n## ${area}\n\n${table(['REST', 'GraphQL', 'What it does'], rows)}`
  })
  const named = new Set(operations.flatMap((operation) => operation['x-graphql'].map((name) => name.split(' ')[0])))
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const alone = roots
    .flatMap((root) => Object.values(root?.getFields() ?? {}).map((field) => ({ ...field, root: root?.name })))
    .map(({ root, name, description }) => [`${root}.${name}`, description?.split(/(?<=\.)\s/)[0] ?? ''] as const)
    .filter(([field]) => !named.has(field))
    .map(([field, text]) => [code(field), cell(text)])
  return `${INTRODUCTION}${sections.join('')}\n## Only in GraphQL\n\n${table(['GraphQL', 'What it does'], alone)}`
}
