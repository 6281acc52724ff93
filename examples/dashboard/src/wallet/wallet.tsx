import { useCallback, useEffect, useState } from 'react'
import { useClient } from 'urql'
import { Link, useParams, useSearchParams } from 'wouter'
import {
  type CredentialsOfWalletFragment,
  MoreCredentialsOfWalletDocument,
  MoreSessionsOfWalletDocument,
  OtherWalletDocument,
  RemoveCredentialDocument,
  type SessionsOfWalletFragment,
  SetPrivacyDocument,
  type WalletRowFragment,
  WalletsDocument,
} from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { undoBy, useWhyNot } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { leftText, Moment, useNow } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { MoreRows } from '../parts/more-rows.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Note, Panel, Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { counted, sentence } from '../parts/words.ts'
import { Fact } from '../payment/details.tsx'
import { Confirm } from '../shell/confirm.tsx'
import { Screen } from '../shell/screen.tsx'
import { say } from '../shell/toasts.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { addPasskey, signInByPasskey, startCode } from './device.ts'
import { type Session, sendSigned } from './signed-retry.ts'

type Credential = CredentialsOfWalletFragment['nodes'][number]

const SIZE = 20

const TYPES: Readonly<Record<string, string>> = {
  EMAIL_OTP: 'Code by email',
  SMS_OTP: 'Code by SMS',
  PASSKEY: 'Passkey',
  OAUTH: 'Google or Apple',
}

const typeName = ({ credentialType }: Pick<Credential, 'credentialType'>) =>
  TYPES[credentialType] ?? sentence(credentialType)
const nameOf = (credential: Credential) => credential.nickname ?? typeName(credential)

/** Session keys exist only in the memory of this page, and are lost when it closes. */
const sessions = new Map<string, Session>()

export const Wallet = () => {
  const { id: raw } = useParams()
  const [query] = useSearchParams()
  const { data, failureAt, reload } = useScreen(WalletsDocument, windowOf(query, SIZE))
  const wallets = data?.wallets?.nodes
  const failure = failureAt('wallets')
  useValidPlace(failure)
  const wanted = raw === undefined ? wallets?.[0]?.id : decodeURIComponent(raw)
  const listed = wallets?.find(({ id }) => id === wanted)
  const other = useScreen(OtherWalletDocument, { id: wanted ?? '' }, { pause: !wallets || !wanted || Boolean(listed) })
  const found = other.data?.wallet
  const lost = other.failureAt('wallet')
  const chosen = listed ?? (found && 'internalType' in found && found.internalType === 'EMBEDDED_WALLET' ? found : null)
  const failureIn = (list: string) =>
    listed ? failureAt(`wallets.nodes.${wallets?.indexOf(listed)}.${list}`) : other.failureAt(`wallet.${list}`)
  const reloadAll = useCallback(() => {
    reload()
    if (!listed) other.reload()
  }, [reload, listed, other.reload])
  return (
    <Screen title="Wallet" isLive={false}>
      {failure ? (
        <div className="card">
          <Failed what="the wallets" level="h2" failure={failure} retry={reload} />
        </div>
      ) : wallets?.length === 0 && !wanted ? (
        <div className="card">
          <Empty icon="key" title="No wallets yet" level="h2">
            An approved customer gets one with its accounts.
          </Empty>
        </div>
      ) : (
        <div className="two">
          <div className="stack">
            {chosen ? (
              <Owner key={chosen.id} wallet={chosen} failureIn={failureIn} reload={reloadAll} />
            ) : lost ? (
              <div className="card">
                <Failed what="this wallet" level="h2" failure={lost} retry={other.reload} />
              </div>
            ) : other.data ? (
              <div className="card">
                <Empty icon="find" title="No wallet has this id" level="h2" />
              </div>
            ) : (
              <Panel title="Wallet">
                <BoneRows count={6} />
              </Panel>
            )}
          </div>
          <Panel title="Wallets">
            {!wallets && <BoneRows count={6} />}
            <ul className="rows">
              {wallets?.map(({ id, customer, balance }) => (
                <li key={id} className={id === chosen?.id ? 'chosen' : undefined}>
                  <span className="grow cut">
                    <Link
                      className="over-row"
                      href={`/wallet/${id}${query.size > 0 ? `?${query}` : ''}`}
                      aria-current={id === chosen?.id ? 'true' : undefined}
                    >
                      {customer?.customerName ?? 'No name'}
                    </Link>
                  </span>
                  <Money of={balance} />
                </li>
              ))}
            </ul>
            <Pager
              text={wallets ? counted(data?.wallets?.totalCount ?? wallets.length, 'wallet') : ''}
              pageInfo={data?.wallets?.pageInfo}
            />
          </Panel>
        </div>
      )}
    </Screen>
  )
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'isCertain' in error

/** The browser's own message when the person cancels, or when the device cannot do it. */
const failureOf = (error: unknown): Failure =>
  isFailure(error)
    ? error
    : { kind: 'DEVICE', message: error instanceof Error ? error.message : String(error), isCertain: true }

interface OwnerProps {
  readonly wallet: WalletRowFragment
  /** Why a list of the wallet is not known. */
  readonly failureIn: (list: 'authMethods' | 'sessions') => Failure | undefined
  readonly reload: () => void
}

const Owner = ({ wallet, failureIn, reload }: OwnerProps) => {
  const lost = { credentials: failureIn('authMethods'), sessions: failureIn('sessions') }
  const client = useClient()
  const now = useNow()
  const [busy, setBusy] = useState<string | undefined>()
  const [failure, setFailure] = useState<{ readonly what: string; readonly why: Failure } | undefined>()
  const [asking, setAsking] = useState<{ readonly credential: Credential; readonly bundle: string } | undefined>()
  /** The lists end earlier after each, so what follows them is loaded anew. */
  const [removals, setRemovals] = useState(0)
  const [removing, setRemoving] = useState<Credential | undefined>()
  const [session, setSession] = useState(() => sessions.get(wallet.id))
  const whyNot = useWhyNot('TRANSACT')
  const left = session ? leftText(session.expiresAt, now) : null
  useEffect(() => {
    if (session && !left) {
      sessions.delete(wallet.id)
      setSession(undefined)
    }
  }, [session, left, wallet.id])
  const work = async (what: string, run: () => Promise<unknown>) => {
    let why: Failure | undefined
    setBusy(what)
    setFailure(undefined)
    try {
      await run()
    } catch (error) {
      why = failureOf(error)
      setFailure({ what, why })
    }
    setBusy(undefined)
    reload()
    return why
  }
  const signedIn = (next: Session) => {
    sessions.set(wallet.id, next)
    setSession(next)
    setAsking(undefined)
    say('Signed in as the owner')
    reload()
  }
  const signIn = (credential: Credential) =>
    work('Sign in', async () => {
      if (credential.credentialType === 'PASSKEY')
        signedIn(await signInByPasskey(client, credential.id, credential.credentialId ?? ''))
      else setAsking({ credential, bundle: await startCode(client, credential.id) })
    })
  const add = () =>
    work('Add passkey', async () => {
      if (!session) return
      const name = `This browser ${new Date().toISOString().slice(11, 16).replace(':', '.')}`
      await addPasskey(client, wallet.id, name, session)
      say('The passkey is added')
    })
  const remove = (credential: Credential) =>
    work('Remove', async () => {
      if (!session) return
      await sendSigned(client, RemoveCredentialDocument, { id: credential.id }, session.key)
      setRemovals((count) => count + 1)
      say('The credential is removed')
    })
  const privacy = (privateEnabled: boolean): Promise<Failure | undefined> =>
    work('Change privacy', async () => {
      if (!session) return
      await sendSigned(client, SetPrivacyDocument, { id: wallet.id, privateEnabled }, session.key)
      say(
        privateEnabled ? 'The wallet is private' : 'The wallet is public',
        undoBy(() => privacy(!privateEnabled)),
      )
    })
  const credentials = wallet.authMethods?.nodes ?? []
  const isOff = busy !== undefined || whyNot !== undefined
  const needs = session ? whyNot : 'Sign in as the owner first'
  const row = (credential: Credential) => (
    <li key={credential.id}>
      <span className="ava">
        <Icon name={credential.credentialType === 'PASSKEY' ? 'key' : 'lock'} />
      </span>
      <span className="grow">
        <strong>{typeName(credential)}</strong>
        <br />
        <span className="tiny t3">
          {credential.nickname}, since <Moment at={credential.createdAt} as="day" />
        </span>
      </span>
      {credential.credentialType !== 'OAUTH' && (
        <button type="button" className="btn sm" disabled={isOff} title={whyNot} onClick={() => signIn(credential)}>
          Sign in<span className="vh"> with {credential.nickname}</span>
        </button>
      )}
      {credentials.length > 1 && (
        <button
          type="button"
          className="btn sm bare"
          disabled={isOff || !session}
          title={needs}
          onClick={() => setRemoving(credential)}
        >
          Remove<span className="vh"> {credential.nickname}</span>
        </button>
      )}
    </li>
  )
  const sessionRow = ({ id, credentialType, nickname, expiresAt }: SessionsOfWalletFragment['nodes'][number]) => (
    <li key={id}>
      <span className="grow">
        {typeName({ credentialType })} <span className="t2">{nickname}</span>
        {id === session?.id && <span className="tag">This page</span>}
      </span>
      <span className="t3 num">{leftText(expiresAt, now) ?? 'ended'}</span>
    </li>
  )
  return (
    <>
      {failure && <Refusal title={`${failure.what}: it did not happen`} failure={failure.why} />}
      {session && left ? (
        <Note tone="busy" icon="key" title="You act as the owner of this wallet">
          The session ends in {left}. Its key is only in the memory of this page.
        </Note>
      ) : (
        <Note tone="idle" icon="lock" title="Changes need the owner">
          Sign in with a credential. In the sandbox a code is always 000000. The platform alone cannot change a wallet.
        </Note>
      )}
      <Panel title={wallet.customer?.customerName ?? 'Wallet'} end={<Status of={wallet.accountStatus} />}>
        <div className="body">
          <dl className="facts">
            <Fact name="Balance">
              <Money of={wallet.balance} />
            </Fact>
            <Fact name="Customer">
              {wallet.customer && (
                <Link href={`/customers/${wallet.customer.id}`}>{wallet.customer.customerName ?? 'No name'}</Link>
              )}
            </Fact>
            <Fact name="Privacy">
              {wallet.privateEnabled ? 'Private' : 'Public'}{' '}
              <button
                type="button"
                className="btn sm"
                disabled={isOff || !session}
                title={needs}
                onClick={() => privacy(!wallet.privateEnabled)}
              >
                {wallet.privateEnabled ? 'Make it public' : 'Make it private'}
              </button>
            </Fact>
            <Fact name="Id">
              <PublicId id={wallet.id} />
            </Fact>
          </dl>
        </div>
      </Panel>
      <Panel
        title="Credentials"
        end={
          <button type="button" className="btn sm" disabled={isOff || !session} title={needs} onClick={add}>
            <Icon name="plus" />
            {busy === 'Add passkey' ? 'Adding …' : 'Add a passkey'}
          </button>
        }
      >
        {lost.credentials && <Failed what="the credentials" failure={lost.credentials} retry={reload} />}
        <ul className="rows loose">
          {credentials.map(row)}
          <MoreRows
            key={removals}
            id={wallet.id}
            pageInfo={wallet.authMethods?.pageInfo}
            document={MoreCredentialsOfWalletDocument}
            listIn={({ wallet: of }) => (of?.__typename === 'InternalAccount' ? of.authMethods : null)}
            row={row}
          />
        </ul>
      </Panel>
      <Panel title="Sessions">
        {lost.sessions && <Failed what="the sessions" failure={lost.sessions} retry={reload} />}
        {wallet.sessions?.nodes.length === 0 && (
          <Empty icon="clock" title="No one is signed in">
            Sign in with a credential, and the session appears here.
          </Empty>
        )}
        <ul className="rows">
          {wallet.sessions?.nodes.map(sessionRow)}
          <MoreRows
            key={removals}
            id={wallet.id}
            pageInfo={wallet.sessions?.pageInfo}
            document={MoreSessionsOfWalletDocument}
            listIn={({ wallet: of }) => (of?.__typename === 'InternalAccount' ? of.sessions : null)}
            row={sessionRow}
          />
        </ul>
      </Panel>
      {removing && (
        <Confirm
          title={`Remove ${nameOf(removing)}?`}
          action="Remove the credential"
          close={() => setRemoving(undefined)}
          confirm={() => remove(removing)}
        >
          The owner cannot sign in with it any more, and its sessions end. This cannot be undone.
        </Confirm>
      )}
      {asking && (
        <CodeDialog
          credential={asking.credential}
          bundle={asking.bundle}
          close={() => setAsking(undefined)}
          signedIn={signedIn}
        />
      )}
    </>
  )
}
