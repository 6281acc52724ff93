import { Link } from 'wouter'
import { type CardsOfCustomerFragment, MoreCardsOfCustomerDocument } from '../gql/graphql.ts'
import { Icon } from '../parts/icon.tsx'
import { MoreRows } from '../parts/more-rows.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { AddButton } from './add-button.tsx'
import type { Part } from './customer.tsx'

interface Props extends Part {
  readonly add: () => void
}

const row = ({ id, last4, brand, state }: CardsOfCustomerFragment['nodes'][number]) => (
  <li key={id}>
    <span className="ava">
      <Icon name="cardi" />
    </span>
    <span className="grow">
      <Link className="who" href={`/cards/${id}`}>
        {last4 ? `•••• ${last4}` : 'No number yet'}
      </Link>
      {brand && <span className="tiny t3">{sentence(brand)}</span>}
    </span>
    <Status of={state} />
  </li>
)

export const CustomerCards = ({ customer, failureAt, reload, add }: Props) => {
  const failure = customer && failureAt('customer.cards')
  return (
    <Panel title="Cards" end={customer && !customer.isDeleted && <AddButton text="Order card" add={add} />}>
      {!customer && <BoneRows count={1} />}
      {failure && <Failed what="the cards" failure={failure} retry={reload} />}
      {customer?.cards?.nodes.length === 0 && <Empty icon="cardi" title="No cards" />}
      <ul className="rows">
        {customer?.cards?.nodes.map(row)}
        {customer && (
          <MoreRows
            id={customer.id}
            pageInfo={customer.cards?.pageInfo}
            document={MoreCardsOfCustomerDocument}
            listIn={({ customer: owner }) => owner?.cards}
            row={row}
          />
        )}
      </ul>
    </Panel>
  )
}
