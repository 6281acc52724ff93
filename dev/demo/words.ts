// Payment descriptions, UMA addresses and merchants of the demo.

export const PRIVATE_NOTES = [
  'Rent for this month',
  'Dinner on Saturday',
  'Happy birthday!',
  'My share of the holiday house',
  'Piano lessons',
  'For mum',
  'Electricity bill',
  'School fees, second term',
  'Back to savings',
  'Thanks for the concert tickets',
  'Dentist',
  'Allowance',
] as const

export const BUSINESS_NOTES = [
  'Invoice 2041',
  'Invoice 2057, second half',
  'Green coffee, lot 18',
  'Salary',
  'Freight and customs',
  'Deposit for the new roaster',
  'Packaging, spring order',
  'Refund to customer, order 88213',
  'Office lease',
  'Maintenance contract',
] as const

export type Correspondent = { address: string; name: string; country: string; born: string }

export const CORRESPONDENTS: readonly Correspondent[] = [
  {
    address: '$mary.somerville@scotbank.example',
    name: 'Mary Somerville',
    country: 'GB',
    born: '1980-12-26',
  },
  {
    address: '$george.boole@corkpay.example',
    name: 'George Boole',
    country: 'IE',
    born: '1975-11-02',
  },
  { address: '$hanae.mori@sakura.example', name: 'Hanae Mori', country: 'JP', born: '1986-01-08' },
  {
    address: '$kofi.mensah@goldcoast.example',
    name: 'Kofi Mensah',
    country: 'GH',
    born: '1991-05-17',
  },
  {
    address: '$ines.duarte@lusopay.example',
    name: 'Inês Duarte',
    country: 'PT',
    born: '1994-09-30',
  },
  { address: '$ravi.menon@chai.example', name: 'Ravi Menon', country: 'IN', born: '1988-03-12' },
  {
    address: '$carla.mendoza@pesos.example',
    name: 'Carla Mendoza',
    country: 'MX',
    born: '1990-07-21',
  },
]

export const SENDER_BANKS = [
  ['Hansebank AG', 'HANBDEFF'],
  ['First Harbor Bank', 'FHBKUS33'],
  ['Thames & District Bank', 'TDBKGB2L'],
  ['Banco del Centro', 'BCENMXMM'],
] as const

export type Merchant = {
  descriptor: string
  mcc: string
  country: string
  from: number
  to: number
}

/** `from` and `to` are in US cents. */
export const MERCHANTS: readonly Merchant[] = [
  { descriptor: 'CORNER BAKERY LONDON', mcc: '5462', country: 'GB', from: 280, to: 1_900 },
  { descriptor: 'TFL TRAVEL CH', mcc: '4111', country: 'GB', from: 175, to: 1_540 },
  { descriptor: 'FRESH & NEAR MARKET 0417', mcc: '5411', country: 'GB', from: 900, to: 12_400 },
  { descriptor: 'BLUE DOOR BISTRO', mcc: '5812', country: 'FR', from: 1_800, to: 14_500 },
  { descriptor: 'HOTEL AN DER ALSTER', mcc: '7011', country: 'DE', from: 11_000, to: 64_000 },
  { descriptor: 'AEROLINEAS DEL NORTE', mcc: '4511', country: 'ES', from: 7_900, to: 72_000 },
  { descriptor: 'PAPER & INK BOOKS', mcc: '5942', country: 'US', from: 800, to: 9_000 },
  { descriptor: 'CLOUDHOUSE HOSTING', mcc: '7372', country: 'US', from: 500, to: 49_900 },
  { descriptor: 'MAPLE STREET FUEL', mcc: '5541', country: 'US', from: 2_500, to: 11_000 },
  { descriptor: 'STREAMLY MONTHLY', mcc: '4899', country: 'NL', from: 999, to: 1_799 },
  { descriptor: 'VILLAGE PHARMACY', mcc: '5912', country: 'IE', from: 600, to: 6_000 },
  { descriptor: 'GREENLEAF ELECTRONICS', mcc: '5732', country: 'DK', from: 4_900, to: 129_900 },
]
