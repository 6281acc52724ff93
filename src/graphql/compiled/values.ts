// Compiles selections on resolved values into functions that write JSON.
import type { FieldNode, GraphQLField } from 'graphql'
import { getArgumentValues } from 'graphql/execution/values.js'
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql/type/definition.js'
import { utf8Json } from '#core/utf8-json.ts'
import type { Compiler } from './compiler.ts'
import { joined, NotCompiled, type WriteValue } from './json.ts'
import type { Run } from './levels.ts'

type Field = GraphQLField<unknown, unknown>
type Nodes = readonly FieldNode[]

export const nameOf = ([node]: Nodes): string => node?.name.value ?? ''

/** A type that the caller writes itself, with the writer for a selection. */
interface Items {
  readonly type: GraphQLNamedType
  readonly write: (nodes: readonly FieldNode[]) => WriteValue
}

const NO_ARGS = {}
/** A resolver that reads it throws and cannot be compiled. */
const NO_INFO = undefined as never

/** The arguments of a field are equal for every row. */
export const argsOf = (field: Field, [node]: Nodes) => {
  if (!node || field.args.length === 0) return (_run: Pick<Run, 'args' | 'variables'>) => NO_ARGS
  return ({ args, variables }: Pick<Run, 'args' | 'variables'>) => {
    const known = args.get(node) ?? getArgumentValues(field, node, variables)
    args.set(node, known)
    return known
  }
}

/** Resolves and writes the field for values of its parent type. A resolver that returns a promise cannot be compiled. */
export const writeResolved = (compiler: Compiler, field: Field, nodes: Nodes, items?: Items): WriteValue => {
  const write = writeValue(compiler, field.type, nodes, items)
  const property = field.extensions['pothosExposedField'] as string | undefined
  const { resolve } = field
  if (property !== undefined || !resolve) {
    const name = property ?? field.name
    return (parent, run) => write((parent as Readonly<Record<string, unknown>>)[name], run)
  }
  const args = argsOf(field, nodes)
  return (parent, run) => write(resolve(parent, args(run), run.context, NO_INFO), run)
}

/** A value as a resolver returned it (the algorithm CompleteValue of the GraphQL specification). */
export const writeValue = (compiler: Compiler, type: GraphQLOutputType, nodes: Nodes, items?: Items): WriteValue => {
  if (isNonNullType(type)) {
    const write = writeValue(compiler, type.ofType, nodes, items)
    return (value, run) => {
      const text = write(value, run)
      if (text === null) throw new Error(`Null for ${type}`)
      return text
    }
  }
  const write = writePresent(compiler, type, nodes, items)
  return (value, run) => (value === null || value === undefined ? null : write(value, run))
}

const writePresent = (compiler: Compiler, type: GraphQLOutputType, nodes: Nodes, items?: Items): WriteValue => {
  if (isListType(type)) {
    const write = writeValue(compiler, type.ofType, nodes, items)
    return (value, run) => {
      if (!Array.isArray(value)) throw new NotCompiled(`${type}`)
      let text = '['
      for (const item of value) text += (text === '[' ? '' : ',') + (write(item, run) ?? 'null')
      return `${text}]`
    }
  }
  if (items && getNamedType(type) === items.type) return items.write(nodes)
  if (isLeafType(type)) {
    return (value) => {
      if (value instanceof Promise) throw new NotCompiled(type.name)
      return utf8Json(JSON.stringify(type.serialize(value)))
    }
  }
  if (isObjectType(type)) return writeObject(compiler, type, nodes, items)
  if (!isAbstractType(type)) throw new NotCompiled(`${type}`)
  const { resolveType } = type
  // Only a few of the possible types occur.
  const writers = new Map<string, WriteValue>()
  return (value, run) => {
    const name = String(resolveType?.(value, run.context, NO_INFO, type))
    const write = writers.get(name) ?? writeObject(compiler, compiler.objectType(name), nodes)
    writers.set(name, write)
    return write(value, run)
  }
}

const writeObject = (compiler: Compiler, type: GraphQLObjectType, nodes: Nodes, items?: Items): WriteValue => {
  const write = joined<unknown>(
    compiler.subfields(type, nodes).map(([key, fieldNodes]) => {
      const name = nameOf(fieldNodes)
      if (name === '__typename') return [key, `"${type.name}"`]
      const field = type.getFields()[name]
      if (!field) throw new NotCompiled(`${type.name}.${name}`)
      return [key, writeResolved(compiler, field, fieldNodes, items)]
    }),
  )
  return (value, run) => {
    if (typeof value !== 'object' || value instanceof Promise) throw new NotCompiled(type.name)
    return write(value, run)
  }
}
