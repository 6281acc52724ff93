import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import { allKeys, singleKeys } from './keys.ts'

const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc', Enter: '↵', ' ': 'Space' }

export const KeysHelp = ({ close }: { readonly close: () => void }) => {
  const [isOn, setOn] = useState(singleKeys.isOn)
  const keys = new Map(allKeys().map(({ press, does }) => [press, does]))
  return (
    <Dialog title="Keys" close={close}>
      <dl className="keys">
        <div>
          <dt>
            <kbd>⌘</kbd> <kbd>K</kbd>
          </dt>
          <dd>Search, or jump to</dd>
        </div>
        {[...keys].map(([press, does]) => (
          <div key={press}>
            <dt>
              {(press === ' ' ? [press] : press.split(' ')).map((key) => (
                <kbd key={key}>{NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            singleKeys.turn(target.checked)
            setOn(target.checked)
          }}
        />
        Keys of one letter act
      </label>
    </Dialog>
  )
}
