// Random valid queries generated from the schema, so that new fields are covered automatically.
import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
} from 'graphql'

const schema = buildSchema(readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8'))

type Field = GraphQLField<unknown, unknown>

export interface RandomQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Values for the required arguments of `Query` fields, among those that exist. */
export type Values = Readonly<Record<string, readonly unknown[]>>

const MAX_LINKS = 5
const SIZES = [1, 1, 2, 3, 5, 10, 20, 50, 100]

/** Chooses one of this number of possibilities. */
type Choose = (possibilities: number) => number

/** The same choices give the same query. `isAsked` says which fields it may select. */
export const randomQuery = (
  choose: Choose,
  values: Values,
  isAsked: (type: string, field: string) => boolean = () => true,
): RandomQuery => {
  const variables: Record<string, unknown> = {}
  const declared: string[] = []
  const fragments: string[] = []
  const oneOf = <T>(items: readonly T[]): T => items[choose(items.length)] as T
  const isChosen = (percent: number) => choose(100) < percent
  /** Returns at least one, if there is any. */
  const some = <T>(items: readonly T[], most: number): T[] => {
    const rest = [...items]
    const count = Math.min(items.length, 1 + choose(most))
    return Array.from({ length: count }, () => rest.splice(choose(rest.length), 1)).flat()
  }

  const variableOf = (type: string, value: unknown) => {
    const name = `v${declared.length}`
    declared.push(`$${name}: ${type}`)
    variables[name] = value
    return `$${name}`
  }

  const pageOf = (): string[] => {
    const size = oneOf(SIZES)
    const direction = oneOf(['none', 'first', 'last'])
    const order = isChosen(10) ? ['sortOrder: ASC'] : []
    if (direction === 'none') return order
    const cursor = direction === 'last' ? 'before' : 'after'
    const cursors =
      values[cursor]?.length && isChosen(3) ? [`${cursor}: ${variableOf('String', oneOf(values[cursor]))}`] : []
    return [`${direction}: ${isChosen(50) ? variableOf('Int', isChosen(5) ? null : size) : size}`, ...cursors, ...order]
  }

  const argsOf = (field: Field): string => {
    const given = field.args.some(({ name }) => name === 'first')
      ? pageOf()
      : field.args.flatMap(({ name, type }) => {
          const possible = values[`${field.name}.${name}`]
          return possible ? [`${name}: ${variableOf(`${type}`, oneOf(possible))}`] : []
        })
    return given.length === 0 ? '' : `(${given.join(', ')})`
  }

  const directive = () => {
    const condition = () => (isChosen(50) ? variableOf('Boolean!', isChosen(50)) : isChosen(50))
    return isChosen(5) ? ` @${oneOf(['skip', 'include'])}(if: ${condition()})` : ''
  }

  const isAskable = (field: Field) =>
    !field.args.some((arg) => `${arg.type}`.endsWith('!') && arg.defaultValue === undefined) ||
    field.args.some(({ name }) => values[`${field.name}.${name}`])

  const fieldOf = (field: Field, links: number): string => {
    const type = getNamedType(field.type)
    const alias = isChosen(5) ? `a${choose(3)}_${field.name}: ` : ''
    return `${alias}${field.name}${argsOf(field)}${directive()}${isLeafType(type) ? '' : ` ${selectionOf(type, links - 1)}`}`
  }

  const fieldsOf = (type: GraphQLObjectType, links: number): string => {
    const all = Object.values(type.getFields()).filter((field) => isAskable(field) && isAsked(type.name, field.name))
    const leaves = all.filter((field) => isLeafType(getNamedType(field.type)))
    const linked = links > 0 ? all.filter((field) => !leaves.includes(field)) : []
    const chosen = [...(linked.length > 0 ? some(linked, 3) : []), ...(leaves.length > 0 ? some(leaves, 3) : [])]
    return `{ __typename ${chosen.map((field) => fieldOf(field, links)).join(' ')} }`
  }

  const spreadOf = (type: GraphQLObjectType, links: number): string => {
    const fields = fieldsOf(type, links)
    if (!isChosen(20)) return `... on ${type.name} ${fields}`
    const name = `F${fragments.length}`
    fragments.push(`fragment ${name} on ${type.name} ${fields}`)
    return `...${name}${directive()}`
  }

  const selectionOf = (type: GraphQLNamedType, links: number): string => {
    if (isObjectType(type)) return fieldsOf(type, links)
    // Node types have fields of the same name and different shapes, so one type at a time.
    const members = isAbstractType(type) ? some(schema.getPossibleTypes(type), type.name === 'Node' ? 1 : 3) : []
    return `{ __typename ${members.map((member) => spreadOf(member, links)).join(' ')} }`
  }

  const root = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    (field) => isAskable(field) && isAsked('Query', field.name),
  )
  const selection = some(root, 3).map((field) => fieldOf(field, MAX_LINKS))
  return {
    query: `query ${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${selection.join(' ')} } ${fragments.join(' ')}`,
    variables,
  }
}
