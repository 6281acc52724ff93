// Compiles selections on rows into functions that write JSON, and collects the columns that they need.
import type { FieldNode, FragmentDefinitionNode, GraphQLField } from 'graphql'
import { collectSubfields } from 'graphql/execution/collectFields.js'
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql/type/definition.js'
import type { GraphQLSchema } from 'graphql/type/schema.js'
import type { AnyRecord, Column } from '#database/record.ts'
import { typeNameOf } from '#graphql/node-types.ts'
import { joined, NotCompiled, type Write, within } from './json.ts'
import { Batch, type BatchOf, type Condition, Level, Link, type Referenced, Round, type Run } from './levels.ts'
import { nameOf, writeValue } from './values.ts'

/** The row in which a field is selected. */
export interface Place {
  readonly level: Level
  /** The column for a name that the type of the field uses, or null if this row has none. */
  readonly columnOf: (name: string) => string | null
  readonly condition: Condition
}

const SAME_NAME = (name: string) => name
const ALWAYS = () => true

/** A row as the type of its record. */
export const whole = (level: Level): Place => ({ level, columnOf: SAME_NAME, condition: ALWAYS })

export interface Selection {
  readonly compiler: Compiler
  readonly at: Place
  readonly field: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
}

/** The place of a column that the row must have. */
export const placeOf = ({ level, columnOf }: Place, name: string): number => {
  const column = columnOf(name)
  if (column === null) throw new NotCompiled(name)
  return level.place(column)
}

/** The case for the label in a column, and `other` for any other label. */
export const writeByLabel = <T>(
  at: Place,
  name: string,
  cases: Readonly<Record<string, T>>,
  compileCase: (of: T, at: Place) => Write,
  other: Write,
): Write => {
  const place = placeOf(at, name)
  const writers = new Map(
    Object.entries(cases).map(([label, of]) => {
      const condition: Condition = (row, run) => row[place] === label && at.condition(row, run)
      return [label, compileCase(of, { ...at, condition })]
    }),
  )
  return (row, run) => (writers.get(row[place] ?? '') ?? other)(row, run)
}

/** How a field is written. Stored in the `extensions` of the field, beside its resolver. */
export type Compile = (selection: Selection) => Write

/** How to find the type of a row. Stored in the `extensions` of an interface or union. */
export interface TypeBy {
  readonly column: string
  readonly names: Readonly<Record<string, string>>
}

export class Compiler {
  readonly schema: GraphQLSchema
  readonly #fragments: Record<string, FragmentDefinitionNode>
  /** A plan may depend on the variables in `@skip` and `@include`, and on the kinds of ids. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly rounds: Round[] = []
  #slots = 0
  readonly #objects = new Map<string, Write>()
  readonly #numbers = new Map<unknown, number>()

  constructor(
    schema: GraphQLSchema,
    fragments: Record<string, FragmentDefinitionNode>,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.schema = schema
    this.#fragments = fragments
    this.variables = variables
  }

  newSlot(): number {
    return this.#slots++
  }

  newLevel<R extends AnyRecord | null>(record: R, next: number): Level<R> {
    return new Level(record, this.newSlot(), next)
  }

  round(index: number): Round {
    this.rounds[index] ??= new Round()
    return this.rounds[index]
  }

  /** The row that a column refers to. All columns that refer to rows of a record in the same round share a level. */
  linked(selection: Selection, place: number, record: AnyRecord): Place {
    const { next } = selection.at.level
    const { levels } = this.round(next)
    const known = levels.find((level) => level.record === record)
    const level = known ?? this.newLevel(record, next + 1)
    if (!known) levels.push(level)
    return { ...whole(level), condition: this.link(level, selection, place).leadsTo }
  }

  /** The link by which a selection refers to these values. `place` is that of the column with their ids. */
  link({ links }: Referenced, { at: { level: from, condition }, nodes }: Selection, place: number): Link {
    const key = this.keyOf(from, place, ...nodes)
    const link = links.get(key) ?? new Link(this.newSlot(), from, place)
    links.set(key, link)
    link.add(condition)
    return link
  }

  /** The slot for the values that `find` finds for the ids in a column. */
  batch(selection: Selection, place: number, find: BatchOf<unknown>): number {
    const { readings } = this.round(selection.at.level.next)
    const batch = (readings.get(find) as Batch | undefined) ?? new Batch(this.newSlot(), find)
    readings.set(find, batch)
    this.link(batch, selection, place)
    return batch.slot
  }

  subfields(type: GraphQLObjectType, nodes: readonly FieldNode[]): [key: string, nodes: readonly FieldNode[]][] {
    return [...collectSubfields(this.schema, this.#fragments, this.variables, type, nodes)]
  }

  /** The row as a value of the type. */
  row(type: GraphQLNamedType, nodes: readonly FieldNode[], at: Place): Write {
    if (isObjectType(type)) return this.#object(type, nodes, at)
    const types = type.extensions['typeBy'] as TypeBy | undefined
    if (!types) return this.row(this.typeOf(at.level), nodes, at)
    const write = (name: string, at: Place) => this.#object(this.objectType(name), nodes, at)
    return writeByLabel(at, types.column, types.names, write, () => {
      throw new Error(`A row of an unknown type for ${type.name}`)
    })
  }

  /** The registered type of the rows of a level. */
  typeOf({ record }: Level): GraphQLNamedType {
    const type = this.schema.getType((record && typeNameOf(record)) ?? '')
    if (!type) throw new NotCompiled('A row of an unregistered type')
    return type
  }

  objectType(name: string): GraphQLObjectType {
    const type = this.schema.getType(name)
    if (!isObjectType(type)) throw new NotCompiled(name)
    return type
  }

  /** Selections that types share are compiled once. Otherwise each union on the way would multiply the work. */
  #object(type: GraphQLObjectType, nodes: readonly FieldNode[], at: Place): Write {
    const key = this.keyOf(type, at.level, at.columnOf, at.condition, ...nodes)
    const known = this.#objects.get(key)
    if (known) return known
    const write = joined(
      this.subfields(type, nodes).map(([key, fieldNodes]) =>
        nameOf(fieldNodes) === '__typename' ? [key, `"${type.name}"`] : [key, ...this.#field(type, fieldNodes, at)],
      ),
    )
    this.#objects.set(key, write)
    return write
  }

  /** A key that is equal for the same parts. */
  keyOf(...parts: readonly unknown[]): string {
    return parts
      .map((part) => {
        const number = this.#numbers.get(part) ?? this.#numbers.size
        this.#numbers.set(part, number)
        return number
      })
      .join()
  }

  /** The writer of the field, and its name if it must not be null. */
  #field(type: GraphQLObjectType, nodes: readonly FieldNode[], at: Place): [write: Write, what?: string] {
    const name = nameOf(nodes)
    const field = type.getFields()[name]
    const exposed = field?.extensions['pothosExposedField'] as string | undefined
    const compile = field?.extensions['compile'] as Compile | undefined
    if (!field || (!compile && exposed === undefined)) throw new NotCompiled(`${type.name}.${name}`)
    const selection = { compiler: this, at, field, nodes }
    const write = compile ? compile(selection) : this.column(selection, exposed ?? '')
    return isNonNullType(field.type) ? [write, `${type.name}.${name}`] : [write]
  }

  /** The value of a column as a value of the field's type. */
  column({ at, field, nodes }: Selection, name: string): Write {
    const column = at.columnOf(name)
    if (column === null) return () => null
    const place = at.level.place(column)
    const [quote, write] = this.#leaf(field.type, nodes, this.columnType(at.level, column))
    return within(
      quote,
      (row, run) => {
        const text = row[place]
        return text === null || text === undefined ? null : write(text, run)
      },
      quote,
    )
  }

  columnType({ record }: Level, name: string): Column<unknown> {
    const column = record?.shape[name]
    if (!column) throw new NotCompiled(name)
    return column
  }

  /** The quote around the value, and what writes it from the text of the column. */
  #leaf(
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
    { decode, json, unquoted }: Column<unknown>,
  ): [quote: string, write: (text: string, run: Run) => string | null] {
    const nullable = isNonNullType(type) ? type.ofType : type
    if (isEnumType(nullable)) {
      const labels = new Map(nullable.getValues().map(({ name, value }) => [String(value), name]))
      const write = (text: string) => {
        const label = labels.get(text)
        if (label === undefined) throw new Error(`${nullable.name} lacks a label`)
        return label
      }
      return ['"', write]
    }
    if (isLeafType(nullable)) return unquoted ? ['"', unquoted] : ['', json]
    const write = writeValue(this, type, nodes)
    return ['', (text, run) => write(decode(text), run)]
  }
}
