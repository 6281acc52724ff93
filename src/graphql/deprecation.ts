/** The reason of a field whose name has another shape on other members of `Node`. */
export const renamedTo = (name: string) =>
  `Other kinds of \`Node\` have a field of this name with a different type, so a document that selects both needs an alias. Select \`${name}\`.`

/** The reason of a field that is the code of a currency under the name of the object. */
export const CURRENCY_IS_A_CODE = 'On other types `currency` is an object. Select `currencyCode`.'

/** The reason of a text whose values an enum has too. */
export const isNowAnEnum = (name: string) => `It is a text without a list of its values. Select \`${name}\`, an enum.`
