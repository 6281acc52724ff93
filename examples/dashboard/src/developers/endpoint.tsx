import { type FormEvent, useState } from 'react'
import { type EndpointFragment, RotateKeyDocument, SetEndpointDocument } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, problemAt } from '../parts/form.tsx'
import { Unknown } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel, Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { counted } from '../parts/words.ts'
import { Fact } from '../payment/details.tsx'
import { Confirm } from '../shell/confirm.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'

interface Props {
  readonly endpoint: EndpointFragment | null | undefined
  readonly isKnown: boolean
  readonly failure: Failure | undefined
  readonly reload: () => void
}

export const Endpoint = ({ endpoint, isKnown, failure: lost, reload }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | undefined>()
  const [asking, setAsking] = useState<'rotate' | 'remove' | undefined>()
  const setting = useWrite(SetEndpointDocument)
  const rotation = useWrite(RotateKeyDocument)
  const whyNot = useWhyNot('MANAGE')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { url } = filledIn(event.currentTarget)
    return url || !endpoint ? save(url ?? null) : setAsking('remove')
  }
  const save = async (url: string | null) => {
    const { success } = await setting.write({ input: { url } })
    if (!success) return
    setOpen(false)
    setSecret(success.secret ?? undefined)
    say(url ? 'The endpoint is set' : 'The endpoint is removed')
    reload()
  }
  const rotate = async () => {
    const { success } = await rotation.write({ input: {} })
    if (!success) return
    setSecret(success.secret ?? undefined)
    say('The next key signs too, for 24 hours')
    reload()
  }
  const isOff = whyNot !== undefined
  return (
    <Panel title="Webhook endpoint" end={endpoint && <Status of={endpoint.endpointStatus} />}>
      {lost ? (
        <Failed what="the endpoint" failure={lost} retry={reload} />
      ) : !isKnown ? (
        <BoneRows count={4} />
      ) : endpoint ? (
        <div className="body stack">
          <dl className="facts">
            <Fact name="URL">
              <span className="mono">{endpoint.url}</span>
            </Fact>
            <Fact name="Events">{endpoint.types ? counted(endpoint.types.length, 'type') : 'All types'}</Fact>
            <Fact name="Waiting">
              {typeof endpoint.waiting === 'number' ? counted(endpoint.waiting, 'delivery', 'deliveries') : <Unknown />}
            </Fact>
            <Fact name="Key">
              <PublicId
                id={endpoint.signingPublicKey}
                text={`${endpoint.signingPublicKey.split('\n')[1]?.slice(0, 16)}…`}
              />
            </Fact>
            {endpoint.nextSigningPublicKey && <Fact name="Next key">Signs too, until the rotation ends</Fact>}
          </dl>
          {rotation.failure && <Refusal title="The key was not changed" failure={rotation.failure} />}
          <div className="wrap">
            <button type="button" className="btn" disabled={isOff} title={whyNot} onClick={() => setOpen(true)}>
              Change
            </button>
            <button
              type="button"
              className="btn bare"
              disabled={isOff || rotation.isBusy}
              title={whyNot}
              onClick={() => setAsking('rotate')}
            >
              Rotate the key
            </button>
          </div>
        </div>
      ) : (
        <Empty
          icon="dev"
          title="No endpoint yet"
          actions={
            <button type="button" className="btn go" disabled={isOff} title={whyNot} onClick={() => setOpen(true)}>
              Set the endpoint
            </button>
          }
        >
          Signed events are sent to one address of yours.
        </Empty>
      )}
      {isOpen && (
        <Dialog title="Webhook endpoint" close={() => setOpen(false)}>
          <form className="form" onSubmit={submit}>
            <Field
              name="url"
              label="URL"
              help="Leave it empty to remove the endpoint. A new address gets a test event at once."
              defaultValue={endpoint?.url ?? ''}
              problem={problemAt(setting.failure, 'url')}
              input={{ type: 'url' }}
            />
            {setting.failure && !problemAt(setting.failure, 'url') && (
              <Refusal title="The endpoint was not set" failure={setting.failure} />
            )}
            <div className="wrap end">
              <button type="button" className="btn" onClick={() => setOpen(false)}>
                Cancel
              </button>
              <button type="submit" className="btn go" disabled={setting.isBusy}>
                {setting.isBusy ? 'Setting …' : 'Set the endpoint'}
              </button>
            </div>
          </form>
        </Dialog>
      )}
      {endpoint && asking && (
        <Confirm
          title={asking === 'rotate' ? `Rotate the key of ${endpoint.url}?` : `Remove ${endpoint.url}?`}
          action={asking === 'rotate' ? 'Rotate the key' : 'Remove the endpoint'}
          close={() => setAsking(undefined)}
          confirm={asking === 'rotate' ? rotate : () => save(null)}
        >
          {asking === 'rotate'
            ? 'After 24 hours only the next key and secret are valid. This cannot be undone.'
            : 'Events are no longer sent, and those that wait never are.'}
        </Confirm>
      )}
      {secret && (
        <Dialog title="The secret of the signatures" close={() => setSecret(undefined)} isOnce>
          <div className="stack">
            <p className="small t2">Your endpoint verifies webhooks with it. It is shown only once.</p>
            <div className="secret">
              <PublicId id={secret} text={secret} />
            </div>
            <div className="wrap end">
              <button type="button" className="btn go" onClick={() => setSecret(undefined)}>
                I have kept it
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </Panel>
  )
}
