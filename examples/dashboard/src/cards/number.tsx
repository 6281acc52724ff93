// Shows where the card's number can be seen. The number itself never reaches this page.
import { useState } from 'react'
import { RevealCardDocument } from '../gql/graphql.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { Refusal } from '../parts/panel.tsx'
import { Dialog } from '../shell/dialog.tsx'
import type { Card } from './cards.tsx'

export const CardNumber = ({ card: { id, last4 } }: { readonly card: Card }) => {
  const { write, isBusy, failure } = useWrite(RevealCardDocument)
  const [url, setUrl] = useState<string | undefined>()
  const whyNot = useWhyNot('MANAGE')
  const reveal = async () => {
    const { success } = await write({ input: { id } })
    setUrl(success?.panEmbedUrl)
  }
  const close = () => setUrl(undefined)
  return (
    <>
      <button type="button" className="btn" disabled={whyNot !== undefined || isBusy} title={whyNot} onClick={reveal}>
        <Icon name="lock" />
        Show number
      </button>
      {failure && <Refusal title="The number cannot be shown" failure={failure} />}
      {url && (
        <Dialog title={`Number of •••• ${last4}`} close={close}>
          <div className="stack">
            <p className="small t2">The issuer shows it on a page of its own, which opens once, within 5 minutes.</p>
            <div className="wrap end">
              <button type="button" className="btn" onClick={close}>
                Cancel
              </button>
              <a className="btn go" href={url} target="_blank" rel="noreferrer" onClick={close}>
                Open the page
              </a>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
