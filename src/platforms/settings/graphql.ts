// Facts about persons and businesses, and who requires them.
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { type CounterpartyField, FIELD_TEXTS } from './currencies.ts'
import { CUSTOMER_INFO_FIELDS } from './customer-info-fields.ts'

export const CustomerInfoFieldEnum = enumOf(
  'CustomerInfoFieldName',
  'A fact about a person or a business, as `counterpartyInformation` names it.',
  CUSTOMER_INFO_FIELDS,
  {
    FULL_NAME: 'Full name.',
    BIRTH_DATE: 'Date of birth.',
    NATIONALITY: 'Nationality.',
    PHONE_NUMBER: 'Phone number.',
    EMAIL: 'Email address.',
    POSTAL_ADDRESS: 'Postal address.',
    TAX_ID: 'Tax number.',
    REGISTRATION_NUMBER: 'Registration number of a business.',
    USER_TYPE: 'Person or business.',
    COUNTRY_OF_RESIDENCE: 'Country of residence.',
    ACCOUNT_IDENTIFIER: 'Identifier of the account.',
    FI_LEGAL_ENTITY_NAME: 'Legal name of the financial institution.',
    FI_ADDRESS: 'Address of the financial institution.',
    PURPOSE_OF_PAYMENT: 'Purpose of the payment.',
    ULTIMATE_INSTITUTION_COUNTRY: 'Country of the institution that holds the account.',
    IDENTIFIER: 'UMA address or other identifier.',
    BUSINESS_TYPE: 'Type of business.',
    COMPANY_LEGAL_NAME: 'Legal name of the company.',
    ID_TYPE: 'Type of the identity document.',
    ID_NUMBER: 'Number of the identity document.',
  },
)

export const CounterpartyFieldType = builder.objectRef<CounterpartyField>('CounterpartyField').implement({
  description: 'A piece of information about the counterparty of a payment.',
  fields: (t) => ({
    name: t.expose('name', { type: CustomerInfoFieldEnum, nullable: false, description: FIELD_TEXTS.name }),
    mandatory: t.exposeBoolean('mandatory', { nullable: false, description: FIELD_TEXTS.mandatory }),
  }),
})
