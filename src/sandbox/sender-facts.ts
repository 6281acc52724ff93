import type { CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'

/** The facts that a sender of UMA payments in the sandbox gives about itself. */
export const SENDER_FACTS: Readonly<Record<CustomerInfoField, string>> = {
  FULL_NAME: 'Sam Sandbox',
  BIRTH_DATE: '1985-04-12',
  NATIONALITY: 'US',
  PHONE_NUMBER: '+14155550123',
  EMAIL: 'sam@sandbox.example',
  POSTAL_ADDRESS: '1 Market Street, San Francisco, CA 94105, US',
  TAX_ID: '078051120',
  REGISTRATION_NUMBER: 'S-1000001',
  USER_TYPE: 'INDIVIDUAL',
  COUNTRY_OF_RESIDENCE: 'US',
  ACCOUNT_IDENTIFIER: '900000001',
  FI_LEGAL_ENTITY_NAME: 'Sandbox Bank',
  FI_ADDRESS: '2 Market Street, San Francisco, CA 94105, US',
  PURPOSE_OF_PAYMENT: 'GIFT',
  ULTIMATE_INSTITUTION_COUNTRY: 'US',
  IDENTIFIER: 'sam-sandbox',
  BUSINESS_TYPE: 'NONE',
  COMPANY_LEGAL_NAME: 'Sandbox Incorporated',
  ID_TYPE: 'PASSPORT',
  ID_NUMBER: '900000001',
}
