// What a selection was sent with: its arguments and conditions, before anything of it is checked.
import { type FieldNode, type OperationDefinitionNode, type SelectionNode, valueFromASTUntyped } from 'graphql'

/** Arguments as they are sent: not checked yet. */
export type SentArgs = Readonly<Record<string, unknown>>

/** The variables, and the defaults of those that are absent. */
export const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, sent: SentArgs): SentArgs => ({
  ...Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...sent,
})

export const argsOf = ({ arguments: given = [] }: Pick<FieldNode, 'arguments'>, variables: SentArgs): SentArgs =>
  Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]))

/** By `@skip` or `@include`. */
export const isLeftOut = ({ directives = [] }: SelectionNode, variables: SentArgs): boolean =>
  directives.some((directive) => {
    const { if: condition } = argsOf(directive, variables)
    return (
      (directive.name.value === 'skip' && condition === true) ||
      (directive.name.value === 'include' && condition === false)
    )
  })
