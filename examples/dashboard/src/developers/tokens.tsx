import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { type ApiPermission, CreateTokenDocument, DeleteTokenDocument, TokensDocument } from '../gql/graphql.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Field, filledIn, problemAt } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Unknown } from '../parts/money.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Failed, Panel, Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { counted, sentence } from '../parts/words.ts'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'

const PERMISSIONS: readonly ApiPermission[] = ['VIEW', 'TRANSACT', 'MANAGE']

const SIZE = 50

interface Secret {
  readonly clientId: string
  readonly clientSecret: string
}

export const Tokens = () => {
  const [query] = useSearchParams()
  const { data, failure, failureAt, reload } = useScreen(TokensDocument, windowOf(query, SIZE))
  useValidPlace(failureAt('apiTokens'))
  const total = data?.apiTokens?.totalCount
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<Secret | undefined>()
  const [deleting, setDeleting] = useState<{ readonly id: string; readonly name: string } | undefined>()
  const whyNot = useWhyNot('MANAGE')
  return (
    <Panel
      title="API tokens"
      end={
        <button
          type="button"
          className="btn sm"
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => setCreating(true)}
        >
          <Icon name="plus" />
          New token
        </button>
      }
    >
      {failure && !data?.apiTokens ? (
        <Failed what="the tokens" failure={failure} retry={reload} />
      ) : !data ? (
        <BoneRows count={4} />
      ) : (
        <ul className="rows">
          {data.apiTokens?.nodes.map(({ id, name, clientId, permissions, createdAt }) => (
            <li key={id}>
              <span className="grow">
                <strong>{name}</strong> <span className="t2">may {permissions.join(', ').toLowerCase()}</span>
                <br />
                <span className="tiny t3 mono">{clientId}</span>
              </span>
              <span className="t2 hide-s">
                since <Moment at={createdAt} as="day" />
              </span>
              <button
                type="button"
                className="btn sm bare"
                disabled={whyNot !== undefined}
                title={whyNot}
                onClick={() => setDeleting({ id, name })}
              >
                Delete<span className="vh"> {name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && (
        <Pager
          text={typeof total === 'number' ? counted(total, 'token') : <Unknown />}
          pageInfo={data.apiTokens?.pageInfo}
        />
      )}
      {isCreating && (
        <CreateToken
          close={() => setCreating(false)}
          made={(made) => {
            setCreating(false)
            setSecret(made)
            reload()
          }}
        />
      )}
      {secret && <ShowSecret secret={secret} close={() => setSecret(undefined)} />}
      {deleting && <DeleteToken token={deleting} close={() => setDeleting(undefined)} deleted={reload} />}
    </Panel>
  )
}

const ShowSecret = ({ secret, close }: { readonly secret: Secret; readonly close: () => void }) => (
  <Dialog title="The token is created" close={close} isOnce>
    <div className="stack">
      <p className="small t2">The secret is shown only once.</p>
      <div className="secret">
        <span className="tiny t2">Client id</span>
        <PublicId id={secret.clientId} text={secret.clientId} />
        <span className="tiny t2">Secret</span>
        <PublicId id={secret.clientSecret} text={secret.clientSecret} />
      </div>
      <div className="wrap end">
        <button type="button" className="btn go" onClick={close}>
          I have kept it
        </button>
      </div>
    </div>
  </Dialog>
)

interface CreateProps {
  readonly close: () => void
  /** Also called if the dialog was closed before the answer came. */
  readonly made: (secret: Secret) => void
}

const CreateToken = ({ close, made }: CreateProps) => {
  const { write, isBusy, failure } = useWrite(CreateTokenDocument)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name = '' } = filledIn(event.currentTarget)
    const permissions = new FormData(event.currentTarget).getAll('permissions') as ApiPermission[]
    const { success } = await write({ input: { name, permissions } })
    if (success) made({ clientId: success.apiToken.clientId, clientSecret: success.clientSecret })
  }
  return (
    <Dialog title="New token" close={close}>
      <form className="form" onSubmit={submit}>
        <Field
          name="name"
          label="Name"
          problem={problemAt(failure, 'name')}
          input={{ required: true, maxLength: 100 }}
        />
        <fieldset>
          <legend className="field">May</legend>
          <div className="boxes">
            {PERMISSIONS.map((permission) => (
              <label key={permission} className="check">
                <input type="checkbox" name="permissions" value={permission} defaultChecked={permission === 'VIEW'} />
                {sentence(permission)}
              </label>
            ))}
          </div>
        </fieldset>
        {failure && !problemAt(failure, 'name') && <Refusal title="The token was not created" failure={failure} />}
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go" disabled={isBusy}>
            {isBusy ? 'Creating it …' : 'Create the token'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface DeleteProps {
  readonly token: { readonly id: string; readonly name: string }
  readonly close: () => void
  readonly deleted: () => void
}

const DeleteToken = ({ token, close, deleted }: DeleteProps) => {
  const { write, isBusy, failure } = useWrite(DeleteTokenDocument)
  const remove = async () => {
    const { success } = await write({ input: { id: token.id } })
    if (!success) return
    say(`${token.name} is deleted`)
    deleted()
    close()
  }
  return (
    <Dialog title={`Delete ${token.name}?`} close={close}>
      <div className="stack">
        <p className="small t2">Calls with this token are refused at once. This cannot be undone.</p>
        {failure && <Refusal title="The token was not deleted" failure={failure} />}
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Keep
          </button>
          <button type="button" className="btn bad" disabled={isBusy} onClick={remove}>
            {isBusy ? 'Deleting …' : 'Delete the token'}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
