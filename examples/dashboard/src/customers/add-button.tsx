import { useWhyNot } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'

interface Props {
  readonly text: string
  readonly add: () => void
}

/** Opens a form that adds something to the customer. */
export const AddButton = ({ text, add }: Props) => {
  const whyNot = useWhyNot('MANAGE')
  return (
    <button type="button" className="btn sm" disabled={whyNot !== undefined} title={whyNot} onClick={add}>
      <Icon name="plus" />
      {text}
    </button>
  )
}
