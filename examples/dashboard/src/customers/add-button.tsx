import type { ApiPermission } from '../gql/graphql.ts'
import { useWhyNot } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'

interface Props {
  readonly text: string
  readonly add: () => void
  readonly anyOf?: readonly ApiPermission[]
}

/** Opens a form that adds something to the customer. */
export const AddButton = ({ text, add, anyOf = ['MANAGE'] }: Props) => {
  const whyNot = useWhyNot(...anyOf)
  return (
    <button type="button" className="btn sm" disabled={whyNot !== undefined} title={whyNot} onClick={add}>
      <Icon name="plus" />
      {text}
    </button>
  )
}
