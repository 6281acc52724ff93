// Customers over both faces. Bodies and answers have the shape of REST in either case.
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import type { Platform } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

export interface CustomerAnswer {
  readonly status: number
  /** The resource, or the error. */
  readonly body: Json
}

type Body = Readonly<Record<string, unknown>>

export interface CustomerFace {
  readonly name: string
  create(platform: Platform, body: Body): Promise<CustomerAnswer>
  update(platform: Platform, id: string, body: Body): Promise<CustomerAnswer>
  remove(platform: Platform, id: string): Promise<CustomerAnswer>
  read(platform: Platform, id: string): Promise<CustomerAnswer>
  /** The ids of a list with this filter. */
  list(platform: Platform, filter: Body): Promise<string[]>
  /** The path in the input for this field of REST. */
  place(field: string, type?: 'INDIVIDUAL' | 'BUSINESS'): string
}

const rest = async (platform: Platform, method: string, path: string, body?: Body): Promise<CustomerAnswer> => {
  const { status, body: answered } = await callRest(basic(platform), method, path, body)
  return { status, body: answered }
}

const overRest: CustomerFace = {
  name: 'REST',
  create: (platform, body) => rest(platform, 'POST', '/customers', body),
  update: (platform, id, body) => rest(platform, 'PATCH', `/customers/${id}`, body),
  remove: (platform, id) => rest(platform, 'DELETE', `/customers/${id}`),
  read: (platform, id) => rest(platform, 'GET', `/customers/${id}`),
  list: async (platform, filter) => {
    const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
    const { status, body } = await rest(platform, 'GET', `/customers?${query}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data.map(({ id }: Json) => id)
  },
  place: (field) => field,
}

const ADDRESS = 'address { line1 line2 city state postalCode country }'
const COMMON_DETAILS = `${ADDRESS} purposeOfAccount sourceOfFundsCategories expectedMonthlyTransactionCount expectedMonthlyTransactionVolume`
const CUSTOMER = `id platformCustomerId customerType region currencies email phoneNumber umaAddress verificationStatus createdAt
  updatedAt isDeleted
  individual { fullName birthDate nationality taxIdType taxIdCountryOfIssuance sourceOfFundsOtherDescription sourceOfWealthCategories
    sourceOfWealthOtherDescription purposeOfAccountOtherDescription annualIncomeRange netWorthRange pepStatus ${COMMON_DETAILS} }
  business { legalName incorporatedOn taxId doingBusinessAs country registrationNumber entityType countriesOfOperation businessType
    sourceOfFunds expectedRecipientJurisdictions expectedCounterpartyCountries naicsCode ${COMMON_DETAILS} }`
const FAILURE =
  '... on ApiError { status code message details { field reason constraint { format pattern enum minLength maxLength } errors { field message } } }'

const withoutNulls = (value: Json): Json => JSON.parse(JSON.stringify(value, (_key, member) => member ?? undefined))

/** A customer of GraphQL as REST would write it. */
const restForm = ({ verificationStatus, individual, business, ...customer }: Json): Json => {
  if (individual) return { ...customer, ...individual, kycStatus: verificationStatus }
  const { address, ...businessInfo } = business
  const info = Object.keys(businessInfo).length > 0 && { businessInfo }
  return { ...customer, address, ...info, kybStatus: verificationStatus }
}

const COMMON = ['platformCustomerId', 'region', 'currencies', 'email', 'phoneNumber', 'umaAddress']

/** A body of REST as GraphQL takes it. */
const inputOf = ({ customerType, businessInfo, ...body }: Body) => {
  const isCommon = (name: string) => COMMON.includes(name)
  const pick = (keep: boolean) => Object.fromEntries(Object.entries(body).filter(([name]) => isCommon(name) === keep))
  const details =
    customerType === 'INDIVIDUAL'
      ? { individual: pick(false) }
      : { business: { ...pick(false), ...(businessInfo as object) } }
  return { ...pick(true), details }
}

const mutate = async (platform: Platform, name: string, input: object, status: number): Promise<CustomerAnswer> => {
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) { __typename ... on ${Name}Success { customer { ${CUSTOMER} } } ${FAILURE} } }`
  const { body } = await callGraphQL(basic(platform), document, { input })
  const payload = body.data?.[name]
  if (!payload) return { status: body.errors[0].extensions?.status ?? 400, body: body.errors[0].extensions ?? body }
  return payload.customer
    ? { status, body: withoutNulls(restForm(withoutNulls(payload.customer))) }
    : { status: payload.status, body: withoutNulls(payload) }
}

const overGraphQL: CustomerFace = {
  name: 'GraphQL',
  create: (platform, body) => mutate(platform, 'createCustomer', inputOf(body), 201),
  update: (platform, id, body) => mutate(platform, 'updateCustomer', { id, ...inputOf(body) }, 200),
  remove: (platform, id) => mutate(platform, 'deleteCustomer', { id }, 200),
  read: async (platform, id) => {
    const { body } = await callGraphQL(
      basic(platform),
      `query ($id: ID!) { customer(by: { id: $id }) { ${CUSTOMER} } }`,
      { id },
    )
    const customer = body.data?.customer
    return customer ? { status: 200, body: restForm(withoutNulls(customer)) } : { status: 404, body }
  },
  list: async (platform, filter) => {
    const document =
      'query ($filter: CustomerFilter) { customers(first: 100, filter: $filter) { nodes { id } totalCount } }'
    const { body } = await callGraphQL(basic(platform), document, { filter })
    if (!body.data) throw new Error(JSON.stringify(body))
    const { nodes, totalCount } = body.data.customers
    if (nodes.length !== totalCount) throw new Error(`${nodes.length} of ${totalCount}`)
    return nodes.map(({ id }: Json) => id)
  },
  place: (field, type = 'INDIVIDUAL') => {
    if (COMMON.includes(field.split('.')[0] ?? '')) return `input.${field}`
    if (field.startsWith('businessInfo')) return field.replace('businessInfo', 'input.details.business')
    return `input.details.${type.toLowerCase()}.${field}`
  },
}

export const customerFaces: readonly CustomerFace[] = [overRest, overGraphQL]
