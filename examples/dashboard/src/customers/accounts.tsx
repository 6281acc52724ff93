// What a customer pays from and is paid to.
import { Link } from 'wouter'
import {
  type ExternalRowFragment,
  type InternalAccountsOfCustomerFragment,
  MoreExternalAccountsOfCustomerDocument,
  MoreInternalAccountsOfCustomerDocument,
} from '../gql/graphql.ts'
import { amountText, Money } from '../parts/money.tsx'
import { MoreRows } from '../parts/more-rows.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { lookOf, Status } from '../parts/status.tsx'
import { accountTypeName, sentence } from '../parts/words.ts'
import { accountName, holderOf } from '../payments/party.ts'
import { AddButton } from './add-button.tsx'
import type { Part } from './customer.tsx'

export const Accounts = ({ customer, failureAt, reload, add }: Part & { readonly add: () => void }) => {
  const own = customer?.internalAccounts?.nodes
  const failure = customer && (failureAt('customer.internalAccounts') ?? failureAt('customer.externalAccounts'))
  const others = customer?.externalAccounts?.nodes
  return (
    <Panel
      title="Accounts"
      end={customer && !customer.isDeleted && <AddButton text="Add account" add={add} anyOf={['TRANSACT', 'MANAGE']} />}
    >
      {!customer && <BoneRows count={8} />}
      {failure && <Failed what="all accounts" failure={failure} retry={reload} />}
      {own?.length === 0 && others?.length === 0 && (
        <Empty icon="list" title="No accounts yet">
          An approved customer gets one in each of its currencies.
        </Empty>
      )}
      <ul className="rows">
        {own?.map(ownRow)}
        {customer && (
          <MoreRows
            id={customer.id}
            pageInfo={customer.internalAccounts?.pageInfo}
            document={MoreInternalAccountsOfCustomerDocument}
            listIn={({ customer: owner }) => owner?.internalAccounts}
            row={ownRow}
          />
        )}
        {others?.map(otherRow)}
        {customer && (
          <MoreRows
            id={customer.id}
            pageInfo={customer.externalAccounts?.pageInfo}
            document={MoreExternalAccountsOfCustomerDocument}
            listIn={({ customer: owner }) => owner?.externalAccounts}
            row={otherRow}
          />
        )}
      </ul>
    </Panel>
  )
}

const ownRow = (account: InternalAccountsOfCustomerFragment['nodes'][number]) => (
  <li key={account.id}>
    <Status of={account.accountStatus} isQuiet />
    <span className="grow">
      <Link className="who" href={`/payments?accountIdentifier=${encodeURIComponent(account.id)}`}>
        {accountName(account)}
      </Link>
      <span className="tiny t3">with the platform</span>
    </span>
    <span className="r">
      <Money of={account.balance} />
      {account.totalBalance.amount !== account.balance.amount && (
        <span className="tiny t3">
          <br />
          {amountText(account.totalBalance)} with held
        </span>
      )}
    </span>
  </li>
)

const otherRow = (account: ExternalRowFragment) => {
  const holder = holderOf(account)
  return (
    <li key={account.id}>
      <Status of={account.accountStatus} isQuiet />
      <span className="grow">
        <Link className="who" href={`/payments?accountIdentifier=${encodeURIComponent(account.id)}`}>
          {accountTypeName(account.accountInfo.accountType)}
        </Link>
        <span className="tiny t3">
          {holder && `${holder}, `}
          {sentence(account.ownershipType)}, {lookOf(account.accountStatus).word.toLowerCase()}
        </span>
      </span>
      <PublicId id={account.id} />
    </li>
  )
}
