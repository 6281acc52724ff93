// The names of facts about customers: as the interface writes them, and as the protocol does.
import { CUSTOMER_INFO_FIELDS, type CustomerInfoField } from '#platforms/settings/customer-info-fields.ts'

/** `FULL_NAME` is `name`, `BIRTH_DATE` is `birthDate`. */
const wireName = (field: CustomerInfoField): string =>
  field === 'FULL_NAME' ? 'name' : field.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const WIRE_NAMES = new Map(CUSTOMER_INFO_FIELDS.map((field) => [field, wireName(field)]))
const FIELDS = new Map(CUSTOMER_INFO_FIELDS.map((field) => [wireName(field), field]))

export const toWire = (field: CustomerInfoField): string => WIRE_NAMES.get(field) ?? field

/** Undefined for a name that the interface does not know. */
export const fromWire = (name: string): CustomerInfoField | undefined => FIELDS.get(name)

/** A fact that one side requests from the other. */
export interface AskedField {
  readonly name: CustomerInfoField
  readonly mandatory: boolean
}

/** The facts in the form in which the protocol asks for them. */
export const optionsOf = (fields: readonly AskedField[]): Record<string, { mandatory: boolean }> =>
  Object.fromEntries(fields.map(({ name, mandatory }) => [toWire(name), { mandatory }]))

/** The protocol's own members, which are always present and are not facts that a person gives. */
const OWN_MEMBERS = ['compliance', 'identifier']

/** The facts that are asked for, and the unknown names among the mandatory ones. */
export const askedOf = (
  options: unknown,
): { readonly fields: AskedField[]; readonly unknownMandatory: readonly string[] } => {
  const fields: AskedField[] = []
  const unknownMandatory: string[] = []
  for (const [name, option] of Object.entries(Object(options) as Record<string, unknown>)) {
    if (OWN_MEMBERS.includes(name)) continue
    const mandatory = Object(option).mandatory === true
    const field = fromWire(name)
    if (field) fields.push({ name: field, mandatory })
    else if (mandatory) unknownMandatory.push(name)
  }
  return { fields, unknownMandatory }
}
