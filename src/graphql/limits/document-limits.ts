// Checks limits on the text and syntax of a document, before validation and authentication.
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

/** Throws 400 `QUERY_TOO_COMPLEX` beyond a limit. Syntax errors are reported later, by Yoga. */
export const useDocumentLimits = (known: DocumentCache): Plugin => ({
  onParams({ params: { query, variables, extensions, operationName } }) {
    for (const json of [variables, extensions]) checkJson(json, 1)
    if (typeof operationName === 'string') keepLimit('maxNameLength', operationName.length)
    if (typeof query !== 'string' || known.get(query)) return
    readDocument(query)
  },
})

/** The parsed document, or undefined if it has a syntax error. Throws 400 `QUERY_TOO_COMPLEX` beyond a limit. */
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

/** The parser recurses at every bracket, so the nesting is checked first. */
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
    // Computing the location of an error scans all lines before it.
    keepLimit('maxLines', line)
    if (kind === TokenKind.NAME) keepLimit('maxNameLength', end - start)
    if (OPENING.includes(kind)) nesting += 1
    else if (CLOSING.includes(kind)) nesting -= 1
    keepLimit('maxNesting', nesting)
  }
}

/** The size of a selection with its fragments expanded. */
interface Shape {
  readonly rootFields: number
  readonly fields: number
  readonly depth: number
}

/** A response name in one place: how often it is selected, and the names selected below it. */
interface Place {
  count: number
  readonly below: Places
}

type Places = Map<string, Place>

const NOTHING: Shape = { rootFields: 0, fields: 0, depth: 0 }
/** The size of an undefined fragment. It is not zero, so that spreading it many times still counts. */
const UNKNOWN: Shape = { rootFields: 1, fields: 1, depth: 1 }
const INTROSPECTION = ['__schema', '__type']

/** Visits each selection once, however often its fragment is spread. */
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
    // Only a fragment can contain itself. It is infinitely deep.
    if (known === 'OPEN') throw tooComplex('maxDepth', 'A fragment contains itself')
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
    const { rootFields, depth } = shapeOf(selectionSet)
    keepLimit('maxRootFields', rootFields)
    keepLimit('maxDepth', depth)
    checkFields(selectionSet)
  }

  const checkFields = (selectionSet: SelectionSetNode) => {
    keepLimit('maxFields', shapeOf(selectionSet).fields)
    checkRepeats(selectionSet)
  }

  /** Limits repeated fields, because validation compares them in pairs. It expands fragments, so `maxFields` must be checked first. */
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
  // Validation also visits fragments that no operation uses.
  for (const fragment of fragments) {
    countDirectives(fragment)
    checkFields(fragment.selectionSet)
  }
  keepLimit('maxAliases', counts.aliases)
  keepLimit('maxDirectives', counts.directives)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
