// Check digits of bank accounts and tax numbers. Each function expects a text that fits its pattern.
import { isValidIBAN, ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { COUNTRIES } from '#core/codes/countries.ts'

/** A Norwegian account number whose fifth and sixth digits are 00. Its last digit is no check digit of all the others. */
const WITHOUT_NATIONAL_DIGIT = /^NO\d{6}00/

/** Country, length, structure and check digits. Lower-case letters count as upper-case ones. */
export const isIban = (value: string) => {
  const iban = value.toUpperCase()
  if (!WITHOUT_NATIONAL_DIGIT.test(iban)) return isValidIBAN(iban)
  const { errorCodes } = validateIBAN(iban)
  return errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
}

/** Characters 5 and 6 are a country. Kosovo has BICs though ISO 3166 has assigned it no code. */
export const isBic = (value: string) => {
  const country = value.slice(4, 6)
  return country === 'XK' || COUNTRIES.has(country)
}

const weighted = (digits: string, weights: readonly number[]) =>
  [...digits].map((digit, index) => Number(digit) * (weights[index % weights.length] ?? 0))

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** The weighted sum must be a multiple of 10, and the first two digits must name a Federal Reserve district. */
export const isAbaRouting = (value: string) => {
  const district = Number(value.slice(0, 2))
  const isDistrict =
    district <= 12 || (district >= 21 && district <= 32) || (district >= 61 && district <= 72) || district === 80
  return isDistrict && sum(weighted(value, [3, 7, 1])) % 10 === 0
}

/** Each product counts modulo 10. The last digit completes the sum to a multiple of 10. */
export const isClabe = (value: string) => {
  const products = weighted(value.slice(0, 17), [3, 7, 1]).map((product) => product % 10)
  return (10 - (sum(products) % 10)) % 10 === Number(value[17])
}

/** Two blocks, of 8 and 14 digits, each completed by its last digit. */
export const isCbu = (value: string) => {
  const completes = (block: string, weights: readonly number[]) =>
    (10 - (sum(weighted(block.slice(0, -1), weights)) % 10)) % 10 === Number(block.at(-1))
  return completes(value.slice(0, 8), [7, 1, 3, 9]) && completes(value.slice(8), [3, 9, 7, 1])
}

/** A digit of CPF or CNPJ, modulo 11. Letters of a CNPJ count as their ASCII code (IN RFB 2229/2024). */
const digitOf = (value: string, firstWeight: number): number => {
  let weight = firstWeight
  let total = 0
  for (const place of value) {
    total += (place.charCodeAt(0) - 48) * weight
    weight = weight === 2 ? 9 : weight - 1
  }
  const rest = total % 11
  return rest < 2 ? 0 : 11 - rest
}

const isOneDigitRepeated = (value: string) => value === value.charAt(0).repeat(value.length)

const CPF = /^\d{11}$/
const CNPJ = /^[0-9A-Z]{12}\d{2}$/

export const isCpf = (value: string) => {
  if (!CPF.test(value) || isOneDigitRepeated(value)) return false
  const digit = (length: number) => {
    const rest = [...value.slice(0, length)].reduce((all, each, at) => all + Number(each) * (length + 1 - at), 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  return digit(9) === Number(value[9]) && digit(10) === Number(value[10])
}

export const isCnpj = (value: string) =>
  CNPJ.test(value) &&
  !isOneDigitRepeated(value) &&
  digitOf(value.slice(0, 12), 5) === Number(value[12]) &&
  digitOf(value.slice(0, 13), 6) === Number(value[13])

export const isCpfOrCnpj = (value: string) => isCpf(value) || isCnpj(value)
