import type { BeneficiaryVerificationStatus, ExternalAccountStatus } from '#generated/prisma/client.ts'
import { accountInfo, type ExternalType, formOf } from './account-info.ts'
import { PLATFORM } from './accounts.ts'
import { Dice } from './dice.ts'
import { customerId, type Person } from './people.ts'
import type { CurrencyCode } from './rates.ts'
import { DAY, type World } from './world.ts'

export type Payee = { id: string; type: ExternalType; currency: CurrencyCode; name: string }

type Entry = {
  type: ExternalType
  name: string
  country: string
  isBusiness?: boolean
  status?: ExternalAccountStatus
  check?: BeneficiaryVerificationStatus | null
  /** The last three digits of the account number, which select a sandbox scenario. Past payments never use this account. */
  suffix?: string
}

const own = (type: ExternalType): Entry => ({ type, name: '', country: '' })
const to = (type: ExternalType, name: string, country: string, more?: Partial<Entry>): Entry => ({
  type,
  name,
  country,
  ...more,
})
const supplier = { isBusiness: true }

/** An account for each suffix of the sandbox, to try it (docs/domain/sandbox.md#magic-values). */
const SUFFIXES = ['002', '003', '004', '005', '006', '007']
const toTry = (type: ExternalType, country: string): Entry[] =>
  SUFFIXES.map((suffix) => to(type, `Sandbox ${suffix}`, country, { suffix }))

/** The accounts that each customer pays to. Accounts without a name are the customer's own. */
const PAYEES: Readonly<Record<string, readonly Entry[]>> = {
  'ada-lovelace': [
    own('GBP_ACCOUNT'),
    to('EUR_ACCOUNT', 'Luigi Menabrea', 'IT', { check: 'PARTIAL_MATCH' }),
    to('USD_ACCOUNT', 'Analytical Engines Inc.', 'US', supplier),
    to('BASE_WALLET', 'Ada Lovelace', 'GB'),
    to('INR_ACCOUNT', 'Meera Krishnan', 'IN'),
    ...toTry('USD_ACCOUNT', 'US'),
  ],
  'northwind-coffee': [
    own('USD_ACCOUNT'),
    to('COP_ACCOUNT', 'Finca El Mirador S.A.S.', 'CO', supplier),
    to('KES_ACCOUNT', 'Nyeri Growers Cooperative', 'KE', { ...supplier, check: 'UNSUPPORTED' }),
    to('SWIFT_ACCOUNT', 'Hario Trading K.K.', 'JP', {
      ...supplier,
      check: 'CHECKED_BY_RECEIVING_FI',
    }),
    to('POLYGON_WALLET', 'Northwind treasury', 'US'),
  ],
  'anna-schmidt': [own('EUR_ACCOUNT'), to('GBP_ACCOUNT', 'Oliver Grant', 'GB')],
  'lucia-hernandez': [own('MXN_ACCOUNT'), to('USD_ACCOUNT', 'Diego Hernández', 'US')],
  'rafael-oliveira': [own('BRL_ACCOUNT'), to('ZAR_ACCOUNT', 'Thandi Nkosi', 'ZA')],
  'kelp-and-kin': [
    own('GBP_ACCOUNT'),
    to('CNY_ACCOUNT', 'Qingdao Seaweed Co.', 'CN', supplier),
    to('HKD_ACCOUNT', 'Lantau Packaging Ltd', 'HK', supplier),
  ],
  'grace-whitfield': [
    own('USD_ACCOUNT'),
    to('PHP_ACCOUNT', 'Jun Reyes', 'PH'),
    to('LIGHTNING', 'Grace Whitfield', 'US'),
    to('USD_ACCOUNT', 'Old Mill Apartments', 'US', {
      ...supplier,
      status: 'INACTIVE',
      check: 'NOT_MATCHED',
    }),
  ],
  'priya-raman': [own('INR_ACCOUNT'), to('CAD_ACCOUNT', 'Vikram Raman', 'CA')],
  'wanjiru-kamau': [own('KES_ACCOUNT'), to('SPARK_WALLET', 'Wanjiru Kamau', 'KE')],
  'chinedu-okafor': [own('NGN_ACCOUNT'), to('TRON_WALLET', 'Chinedu Okafor', 'NG')],
  'camille-laurent': [own('EUR_ACCOUNT'), to('SOLANA_WALLET', 'Camille Laurent', 'FR')],
  'mikkel-jensen': [own('DKK_ACCOUNT'), to('EUR_ACCOUNT', 'Hanne Brandt', 'DE')],
  'maria-santos': [own('PHP_ACCOUNT')],
  'liam-oconnor': [own('EUR_ACCOUNT'), to('VND_ACCOUNT', 'Trần Thị Mai', 'VN')],
  'brightline-logistics': [
    own('USD_ACCOUNT'),
    to('MXN_ACCOUNT', 'Transportes Regios S.A. de C.V.', 'MX', supplier),
    to('CAD_ACCOUNT', 'Northern Haulage Ltd', 'CA', supplier),
  ],
  'casa-verde': [own('MXN_ACCOUNT'), to('ETHEREUM_WALLET', 'Casa Verde', 'MX')],
  'werkstatt-nord': [
    own('EUR_ACCOUNT'),
    to('DKK_ACCOUNT', 'Aarhus Værktøj A/S', 'DK', { ...supplier, status: 'UNDER_REVIEW' }),
  ],
  'lotus-health': [own('SGD_ACCOUNT')],
  'tom-becker': [{ ...own('EUR_ACCOUNT'), status: 'PENDING', check: 'PENDING' }],
  [PLATFORM]: [
    to('USD_ACCOUNT', 'Operating account', 'US', supplier),
    to('EUR_ACCOUNT', 'Audit & Partners', 'DE', supplier),
    to('BASE_WALLET', 'Cold storage', 'US'),
  ],
}

/** Adds the external accounts and returns those that can receive money. */
export const addExternalAccounts = (world: World, people: readonly Person[]) => {
  const payees = new Map<string, Payee[]>()
  for (const person of people)
    payees.set(
      person.key,
      (PAYEES[person.key] ?? []).flatMap((entry, place) => addExternalAccount(world, person.key, entry, place, person)),
    )
  payees.set(
    PLATFORM,
    (PAYEES[PLATFORM] ?? []).flatMap((entry, place) => addExternalAccount(world, PLATFORM, entry, place, null)),
  )
  return payees
}

const addExternalAccount = (
  world: World,
  owner: string,
  entry: Entry,
  place: number,
  person: Person | null,
): Payee[] => {
  const id = world.id(`external-account/${owner}/${place}`)
  const dice = new Dice(`${world.platform}/external-account/${owner}/${place}`)
  const holder = {
    name: entry.name || (person?.name ?? ''),
    isBusiness: entry.isBusiness ?? (entry.name === '' && person?.type === 'BUSINESS'),
    country: entry.country || (person?.region ?? ''),
  }
  const { type, status = 'ACTIVE' } = entry
  const { currency, rails } = formOf(type)
  const check = entry.check === undefined && rails.length > 0 ? 'MATCHED' : (entry.check ?? null)
  const info = accountInfo(type, dice, holder)
  world.rows.externalAccounts.push({
    platformId: world.platformId,
    id,
    customerId: person && customerId(world, person.key),
    status,
    currency,
    accountType: type,
    accountInfo: entry.suffix ? endingIn(entry.suffix, info) : info,
    platformAccountId: `${owner}-${place + 1}`,
    defaultUmaDepositAccount: person !== null && place === 0,
    beneficiaryVerificationStatus: check,
    beneficiaryVerifiedName: verifiedName(holder.name, check),
    createdAt: world.ago(dice.int(121, 129) * DAY + dice.int(0, DAY)),
    updatedAt: world.ago(dice.int(2, 120) * DAY),
  })
  return status === 'ACTIVE' && !entry.suffix ? [{ id, type, currency, name: holder.name }] : []
}

const endingIn = (suffix: string, info: Readonly<Record<string, unknown>>) => ({
  ...info,
  accountNumber: `${String(info['accountNumber']).slice(0, -suffix.length)}${suffix}`,
})

const verifiedName = (name: string, check: BeneficiaryVerificationStatus | null) => {
  if (check === 'MATCHED') return name
  return check === 'PARTIAL_MATCH' ? name.replace(/^(\S)\S* /, '$1. ') : null
}
