import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { type CustomerFilter, CustomersDocument, type VerificationStatus } from '../gql/graphql.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { useWhyNot } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Unknown } from '../parts/money.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed } from '../parts/panel.tsx'
import { lookOf, Status } from '../parts/status.tsx'
import { counted, sentence } from '../parts/words.ts'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { CreateCustomer } from './create-customer.tsx'

const SIZE = 25
const TYPING_MS = 250
const STATES: readonly VerificationStatus[] = ['APPROVED', 'PENDING', 'UNVERIFIED', 'HOLD', 'REJECTED']

const filterOf = (query: URLSearchParams): CustomerFilter => {
  const status = query.get('status')
  const search = query.get('search')
  return {
    ...(search && { search }),
    ...(STATES.includes(status as VerificationStatus) && { verificationStatuses: [status as VerificationStatus] }),
  }
}

export const Customers = () => {
  const [query, setQuery] = useSearchParams()
  const [, navigate] = useLocation()
  const [isCreating, setCreating] = useState(false)
  const [at, setAt] = useState(-1)
  const whyNot = useWhyNot('MANAGE')
  const { data, failureAt, reload } = useScreen(CustomersDocument, {
    filter: filterOf(query),
    ...windowOf(query, SIZE),
  })
  useValidPlace(failureAt('customers'))
  const field = useRef<HTMLInputElement>(null)
  const inAddress = query.get('search') ?? ''
  const [typed, setTyped] = useState(inAddress)
  const sent = useRef(inAddress)
  const set = (name: string, value: string | null, replace = false) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now)
        for (const cursor of ['after', 'before']) next.delete(cursor)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace },
    )
  useEffect(() => {
    if (inAddress !== sent.current) setTyped(inAddress)
    sent.current = inAddress
  }, [inAddress])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing sets the address
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      set('search', typed.trim() || null, true)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const rows = data?.customers?.nodes
  const current = rows?.[at]
  const move = (by: number) => setAt((now) => Math.min(Math.max(now + by, 0), (rows?.length ?? 1) - 1))
  useKeys([
    { press: 'j', does: 'Next customer', run: () => move(1) },
    { press: 'k', does: 'Previous customer', run: () => move(-1) },
    { press: 'Enter', does: 'Open the customer', run: () => (current ? navigate(`/customers/${current.id}`) : false) },
    { press: '/', does: 'Search customers', run: () => field.current?.focus() },
    { press: 'n', does: 'New customer', run: () => (whyNot ? false : setCreating(true)) },
  ])
  const total = data?.customers?.totalCount
  const failure = failureAt('customers')
  const status = query.get('status')
  return (
    <Screen
      title="Customers"
      isLive={false}
      end={
        <button
          type="button"
          className="btn"
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => setCreating(true)}
        >
          <Icon name="plus" />
          New customer
        </button>
      }
    >
      <nav className="views" aria-label="Onboarding state">
        <button type="button" aria-current={status ? undefined : 'page'} onClick={() => set('status', null)}>
          All
        </button>
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            aria-current={status === state ? 'page' : undefined}
            onClick={() => set('status', state)}
          >
            {lookOf(state).word}
          </button>
        ))}
      </nav>
      <div className="bar">
        <div className="search">
          <label className="vh" htmlFor="q">
            Search customers
          </label>
          <Icon name="find" />
          <input
            ref={field}
            id="q"
            className="in"
            type="search"
            placeholder="Name, your id, or email"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={({ key }) => key === 'Escape' && field.current?.blur()}
          />
          <kbd aria-hidden="true">/</kbd>
        </div>
      </div>
      <div className="card edge">
        {failure ? (
          <Failed what="customers" level="h2" failure={failure} retry={reload} />
        ) : !rows ? (
          <BoneRows count={SIZE} />
        ) : rows.length === 0 ? (
          <Empty icon="users" level="h2" title={inAddress || status ? 'No customer matches' : 'No customers yet'}>
            {inAddress || status ? 'Another search or state may find it.' : 'Create the first one with “New customer”.'}
          </Empty>
        ) : (
          <table className="tbl cust fold">
            <caption className="vh">Customers, newest first</caption>
            <thead>
              <tr>
                <th scope="col" className="c-st">
                  Onboarding
                </th>
                <th scope="col" className="c-to">
                  Name
                </th>
                <th scope="col" className="c-cu">
                  Your id
                </th>
                <th scope="col" className="c-vi">
                  Kind
                </th>
                <th scope="col" className="c-by">
                  Currencies
                </th>
                <th scope="col" className="c-at">
                  Created ↓
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((customer) => (
                <tr key={customer.id} className={customer.id === current?.id ? 'cur-row' : undefined}>
                  <td className="c-st">
                    <Status of={customer.verificationStatus} />
                  </td>
                  <td className="c-to">
                    <Link href={`/customers/${customer.id}`} className="to">
                      {customer.customerName ?? 'No name yet'}
                    </Link>
                  </td>
                  <td className="c-cu t2" title={customer.platformCustomerId}>
                    {customer.platformCustomerId}
                  </td>
                  <td className="c-vi t2">{sentence(customer.customerType)}</td>
                  <td className="c-by t2">{customer.currencies.join(', ') || <Unknown what="none" />}</td>
                  <td className="c-at t2">
                    <Moment at={customer.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <Pager
          text={total === null || total === undefined ? '' : counted(total, 'customer')}
          pageInfo={data?.customers?.pageInfo}
        />
      </div>
      {isCreating && <CreateCustomer close={() => setCreating(false)} />}
    </Screen>
  )
}
