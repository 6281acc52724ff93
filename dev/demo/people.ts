import type { CustomerType, VerificationStatus } from '#generated/prisma/client.ts'
import { Dice } from './dice.ts'
import type { CurrencyCode } from './rates.ts'
import { DAY, type World } from './world.ts'

export type Person = {
  key: string
  type: CustomerType
  name: string
  email: string | null
  phone: string | null
  region: string
  status: VerificationStatus
  currencies: CurrencyCode[]
  isDeleted?: boolean
}

const individual = (
  name: string,
  region: string,
  phone: string | null,
  currencies: CurrencyCode[],
  status: VerificationStatus = 'APPROVED',
): Person => {
  const key = keyOf(name)
  const email = `${key.replaceAll('-', '.')}@mail.example`
  return { key, type: 'INDIVIDUAL', name, email, phone, region, status, currencies }
}

const business = (
  name: string,
  key: string,
  region: string,
  phone: string | null,
  currencies: CurrencyCode[],
  status: VerificationStatus = 'APPROVED',
): Person => {
  const email = `treasury@${key}.example`
  return { key, type: 'BUSINESS', name, email, phone, region, status, currencies }
}

const keyOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')

export const PEOPLE: readonly Person[] = [
  individual('Ada Lovelace', 'GB', '+447700900142', ['GBP', 'USD', 'EUR']),
  business('Northwind Coffee Roasters LLC', 'northwind-coffee', 'US', '+12025550143', ['USD', 'USDC']),
  individual('Anna Schmidt', 'DE', '+4915550100234', ['EUR']),
  individual('Lucía Hernández', 'MX', '+525555010187', ['MXN', 'USD']),
  individual('Rafael Oliveira', 'BR', '+5511955501234', ['BRL', 'USD']),
  business('Kelp & Kin Ltd', 'kelp-and-kin', 'GB', '+442079460958', ['GBP', 'EUR']),
  individual('Grace Whitfield', 'US', '+12025550178', ['USD']),
  individual('Priya Raman', 'IN', '+919955501234', ['INR', 'USD']),
  individual('Wanjiru Kamau', 'KE', '+254720550123', ['KES', 'USD']),
  individual('Chinedu Okafor', 'NG', '+2348055501234', ['NGN', 'USD']),
  individual('Camille Laurent', 'FR', '+33639980123', ['EUR', 'BTC']),
  individual('Mikkel Jensen', 'DK', '+4520555012', ['DKK', 'EUR']),
  individual('Maria Santos', 'PH', '+639175550123', ['PHP', 'USD']),
  individual("Liam O'Connor", 'IE', '+353205550123', ['EUR', 'GBP']),
  business('Brightline Logistics Inc.', 'brightline-logistics', 'US', '+12025550191', ['USD']),
  business('Casa Verde Importaciones S.A. de C.V.', 'casa-verde', 'MX', '+525555010222', ['MXN', 'USD']),
  business('Werkstatt Nord GmbH', 'werkstatt-nord', 'DE', '+493055501234', ['EUR']),
  business('Lotus Health Pte. Ltd.', 'lotus-health', 'SG', '+6565550123', ['SGD', 'USD']),
  business('Lagos Textile Works Ltd', 'lagos-textile', 'NG', '+2348055505678', ['NGN'], 'PENDING'),
  individual('Tom Becker', 'DE', '+4915550100577', ['EUR'], 'PENDING'),
  individual('Sofia Rossi', 'IT', null, ['EUR'], 'UNVERIFIED'),
  individual('Mart Tamm', 'EE', '+37255501234', ['EUR'], 'REJECTED'),
  business('Harbour Games ApS', 'harbour-games', 'DK', '+4533555012', ['DKK'], 'HOLD'),
  { ...individual('Noah Fischer', 'AT', '+4366055501234', ['EUR']), isDeleted: true },
]

/** The EEA countries of the demo, in which Strong Customer Authentication applies. */
export const isInScaRegion = ({ region }: Person) => ['AT', 'DE', 'DK', 'EE', 'FR', 'IE', 'IT'].includes(region)

export const customerId = (world: World, key: string) => world.id(`customer/${key}`)

export const umaAddress = (world: World, { key }: Person) => `$${key.replaceAll('-', '.')}@${world.platform}.example`

export const addCustomers = (world: World, people: readonly Person[]) => {
  for (const person of people) {
    const dice = new Dice(`${world.platform}/customer/${person.key}`)
    const createdAt = world.ago(dice.int(130, 400) * DAY + dice.int(0, DAY))
    world.rows.customers.push({
      platformId: world.platformId,
      id: customerId(world, person.key),
      platformCustomerId: person.key,
      customerType: person.type,
      name: person.name,
      email: person.email,
      phoneNumber: person.phone,
      umaAddress: umaAddress(world, person),
      region: person.region,
      currencies: [...person.currencies],
      verificationStatus: person.status,
      isDeleted: person.isDeleted ?? false,
      createdAt,
      updatedAt: world.ago(dice.int(1, 125) * DAY),
    })
  }
}
