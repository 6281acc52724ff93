// What a document may be, told from its text and its syntax alone: before validation, and before anyone asks who calls.
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { DocumentCache } from './document-cache.ts'
import { keepLimit, tooComplex } from './limits.ts'

/** Refuses with 400 `QUERY_TOO_COMPLEX`. What cannot be parsed is left to those who come later. */
export const useDocumentLimits = (known: DocumentCache): Plugin => ({
  onParams({ params: { query, variables, extensions, operationName } }) {
    for (const json of [variables, extensions]) checkJson(json, 1)
    if (typeof operationName === 'string') keepLimit('maxNameLength', operationName.length)
    if (typeof query !== 'string' || known.get(query)) return
    readDocument(query)
  },
})

/** Parsed, or undefined when it cannot be. 400 `QUERY_TOO_COMPLEX` when it is beyond a limit. */
export const readDocument = (text: string): DocumentNode | undefined => {
  const document = parseWithinLimits(text)
  if (document) checkDocument(document)
  return document
}

const checkJson = (value: unknown, level: number) => {
  if (typeof value !== 'object' || value === null) return
  keepLimit('maxNesting', level)
  const members = Object.values(value)
  keepLimit(Array.isArray(value) ? 'maxItems' : 'maxMembers', members.length)
  for (const member of members) checkJson(member, level + 1)
}

/** The parser calls itself at every bracket: how deep they go must be known before. */
const parseWithinLimits = (text: string): DocumentNode | undefined => {
  try {
    checkTokens(new Lexer(new Source(text)))
    return parse(text)
  } catch (error) {
    if (error instanceof Error && error.name === 'GraphQLError') return undefined
    throw error
  }
}

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

const checkTokens = (lexer: Lexer) => {
  let nesting = 0
  for (let count = 0; lexer.advance().kind !== TokenKind.EOF; ) {
    const { kind, start, end, line } = lexer.token
    count += 1
    keepLimit('maxTokens', count)
    // Every location in an error counts the lines before it.
    keepLimit('maxLines', line)
    if (kind === TokenKind.NAME) keepLimit('maxNameLength', end - start)
    if (OPENING.includes(kind)) nesting += 1
    else if (CLOSING.includes(kind)) nesting -= 1
    keepLimit('maxNesting', nesting)
  }
}

/** What a selection comes to when its fragments are spread. */
interface Shape {
  readonly rootFields: number
  readonly fields: number
  readonly depth: number
}

/** A response name in one place: how often it is selected there, and what is selected below it. */
interface Place {
  count: number
  readonly below: Places
}

type Places = Map<string, Place>

const NOTHING: Shape = { rootFields: 0, fields: 0, depth: 0 }
/** Of a fragment that is not there: nothing would be nothing however often it is spread. */
const UNKNOWN: Shape = { rootFields: 1, fields: 1, depth: 1 }
const INTROSPECTION = ['__schema', '__type']

/** Each selection is looked at once, however often it is spread. */
const checkDocument = ({ definitions }: DocumentNode) => {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  keepLimit('maxFragments', fragments.length)
  keepLimit('maxOperations', operations.length)
  const selectionSets = new Map(fragments.map(({ name, selectionSet }) => [name.value, selectionSet]))
  const shapes = new Map<SelectionSetNode, Shape | 'OPEN'>()
  const counts = { aliases: 0, directives: 0 }

  const shapeOf = (selectionSet: SelectionSetNode | undefined): Shape => {
    if (!selectionSet) return NOTHING
    const known = shapes.get(selectionSet)
    // A fragment that is spread within itself has no end.
    if (known === 'OPEN') throw tooComplex('maxDepth')
    if (known) return known
    shapes.set(selectionSet, 'OPEN')
    const parts = selectionSet.selections.map(shapeOfSelection)
    const shape = {
      rootFields: sum(parts.map(({ rootFields }) => rootFields)),
      fields: sum(parts.map(({ fields }) => fields)),
      depth: Math.max(...parts.map(({ depth }) => depth)),
    }
    shapes.set(selectionSet, shape)
    return shape
  }

  const shapeOfSelection = (selection: SelectionNode): Shape => {
    countDirectives(selection)
    if (selection.kind === Kind.INLINE_FRAGMENT) return shapeOf(selection.selectionSet)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = selectionSets.get(selection.name.value)
      return fragment ? shapeOf(fragment) : UNKNOWN
    }
    if (selection.alias) counts.aliases += 1
    const { fields, depth } = shapeOf(selection.selectionSet)
    return { rootFields: 1, fields: 1 + fields, depth: INTROSPECTION.includes(selection.name.value) ? 1 : 1 + depth }
  }

  const countDirectives = ({ directives = [] }: { readonly directives?: readonly DirectiveNode[] | undefined }) => {
    keepLimit('maxDirectivesInOnePlace', directives.length)
    counts.directives += directives.length
  }

  const checkOperation = (operation: OperationDefinitionNode) => {
    const { variableDefinitions = [], selectionSet } = operation
    keepLimit('maxVariables', variableDefinitions.length)
    for (const part of [operation, ...variableDefinitions]) countDirectives(part)
    const { rootFields, fields, depth } = shapeOf(selectionSet)
    keepLimit('maxRootFields', rootFields)
    keepLimit('maxDepth', depth)
    keepLimit('maxFields', fields)
    checkRepeats(selectionSet)
  }

  /** Validation compares every two of them. Only for what has few fields when it is spread. */
  const checkRepeats = (root: SelectionSetNode) => {
    const visit = (selectionSet: SelectionSetNode | undefined, places: Places) => {
      for (const selection of selectionSet?.selections ?? []) {
        if (selection.kind === Kind.FRAGMENT_SPREAD) visit(selectionSets.get(selection.name.value), places)
        else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, places)
        else {
          const name = (selection.alias ?? selection.name).value
          const place = places.get(name) ?? { count: 0, below: new Map() }
          places.set(name, place)
          place.count += 1
          keepLimit('maxRepeats', place.count)
          visit(selection.selectionSet, place.below)
        }
      }
    }
    visit(root, new Map())
  }

  for (const operation of operations) checkOperation(operation)
  for (const fragment of fragments) {
    countDirectives(fragment)
    shapeOf(fragment.selectionSet)
  }
  keepLimit('maxAliases', counts.aliases)
  keepLimit('maxDirectives', counts.directives)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
