// One card: how it looks, what it is paid from, and whether it may be used.
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { amountText } from '../parts/money.tsx'
import { BoneRows, Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { Fact } from '../payment/details.tsx'
import type { Card } from './cards.tsx'
import { CardState } from './state.tsx'

export const Detail = ({ card }: { readonly card: Card | undefined }) => {
  if (!card)
    return (
      <Panel title="Card">
        <BoneRows count={12} />
      </Panel>
    )
  const { account } = card
  const held = account && account.totalBalance.amount - account.balance.amount
  return (
    <Panel title={card.last4 ? `•••• ${card.last4}` : 'No number yet'} end={<Status of={card.state} />}>
      <div className="body stack">
        <div className="plastic">
          <div>
            <span className="cut">{card.customer?.customerName}</span>
            <Icon name="logo" className="logo" />
          </div>
          <span className="no">•••• •••• •••• {card.last4 ?? '????'}</span>
          <div>
            <span className="num">
              {card.expMonth && card.expYear
                ? `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`
                : '––/––'}
            </span>
            <span>
              {sentence(card.form)}
              {card.brand && `, ${sentence(card.brand)}`}
            </span>
          </div>
        </div>
        <CardState key={card.id} card={card} />
        <dl className="facts">
          <Fact name="Customer">
            {card.customer ? (
              <Link href={`/customers/${card.customer.id}`}>{card.customer.customerName ?? 'No name'}</Link>
            ) : (
              '—'
            )}
          </Fact>
          {account && (
            <>
              <Fact name="Paid from">
                {account.currency.code} account, {amountText(account.balance)}
              </Fact>
              <Fact name="Held now">
                {held ? amountText({ ...account.balance, amount: held }) : <span className="t3">None</span>}
              </Fact>
            </>
          )}
          {card.stateReason && <Fact name="Because">{sentence(card.stateReason)}</Fact>}
          <Fact name="Your id">{card.platformCardId ?? <span className="t3">None</span>}</Fact>
          <Fact name="Ordered">
            <Moment at={card.createdAt} as="full" />
          </Fact>
          <Fact name="Id">
            <PublicId id={card.id} />
          </Fact>
        </dl>
      </div>
    </Panel>
  )
}
