// Freezes, unfreezes and closes a card, and shows its number.
import { useState } from 'react'
import { type CardStateChange, ChangeCardDocument } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { undoBy, useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { Refusal } from '../parts/panel.tsx'
import { Confirm } from '../shell/confirm.tsx'
import { useKeys } from '../shell/keys.ts'
import { say } from '../shell/toasts.tsx'
import type { Card } from './cards.tsx'
import { CardNumber } from './number.tsx'

const DONE: Readonly<Record<CardStateChange, string>> = {
  FROZEN: 'is frozen. It declines every use.',
  ACTIVE: 'can be used again',
  CLOSED: 'is closed',
}

export const CardState = ({ card }: { readonly card: Card }) => {
  const { id, state, last4 } = card
  const { write, isBusy, failure } = useWrite(ChangeCardDocument)
  const [isClosing, setClosing] = useState(false)
  const whyNot = useWhyNot('MANAGE')
  const isOff = whyNot !== undefined || isBusy
  const name = last4 ? `•••• ${last4}` : 'The card'
  const change = async (to: CardStateChange, back?: CardStateChange): Promise<Failure | undefined> => {
    const { failure } = await write({ input: { id, state: to } })
    if (!failure) say(`${name} ${DONE[to]}`, back && undoBy(() => change(back)))
    return failure
  }
  const isFrozen = state === 'FROZEN'
  const canChange = isFrozen || state === 'ACTIVE'
  const toggle = () => (isFrozen ? change('ACTIVE', 'FROZEN') : change('FROZEN', 'ACTIVE'))
  useKeys([{ press: 'f', does: 'Freeze or unfreeze the card', run: () => (canChange && !isOff ? toggle() : false) }])
  return (
    <>
      {canChange && (
        <div className="wrap">
          <button type="button" className="btn" disabled={isOff} title={whyNot} onClick={toggle}>
            <Icon name={isFrozen ? 'play' : 'ice'} />
            {isFrozen ? 'Unfreeze' : 'Freeze'} <kbd aria-hidden="true">F</kbd>
          </button>
          <CardNumber card={card} />
          <button
            type="button"
            className="btn bare bad"
            disabled={isOff}
            title={whyNot}
            onClick={() => setClosing(true)}
          >
            Close card
          </button>
        </div>
      )}
      {failure && <Refusal title="The card was not changed" failure={failure} />}
      {isClosing && (
        <Confirm
          title={`Close ${name}?`}
          action="Close the card"
          close={() => setClosing(false)}
          confirm={() => change('CLOSED')}
        >
          It declines every use from now on, and cannot be opened again. Payments that are authorized still settle.
        </Confirm>
      )}
    </>
  )
}
