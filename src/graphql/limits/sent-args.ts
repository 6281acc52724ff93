// Reads the arguments and conditions of a selection before they are validated.
import { type FieldNode, type OperationDefinitionNode, type SelectionNode, valueFromASTUntyped } from 'graphql'

/** Arguments as the client sent them, not validated. */
export type SentArgs = Readonly<Record<string, unknown>>

/** The variables, with defaults for absent ones. The object inherits nothing: a variable may be named `constructor`. */
export const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, sent: SentArgs): SentArgs =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      variableDefinitions.flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    ),
    sent,
  )

export const argsOf = ({ arguments: given = [] }: Pick<FieldNode, 'arguments'>, variables: SentArgs): SentArgs =>
  Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]))

/** Whether `@skip` or `@include` removes the selection. */
export const isLeftOut = ({ directives = [] }: SelectionNode, variables: SentArgs): boolean =>
  directives.some((directive) => {
    const { if: condition } = argsOf(directive, variables)
    return (
      (directive.name.value === 'skip' && condition === true) ||
      (directive.name.value === 'include' && condition === false)
    )
  })
