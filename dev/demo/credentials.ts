// Adds wallet credentials: email codes for every wallet, SMS codes for some, and an OAuth identity for Ada.
import type { Prisma } from '#generated/prisma/client.ts'
import { activeCurrenciesOf, internalAccountId } from './accounts.ts'
import { Dice } from './dice.ts'
import type { Person } from './people.ts'
import { DAY, type World } from './world.ts'

const IDENTITY = {
  oidcIssuer: 'https://accounts.google.com',
  oidcAudience: 'demo-app',
  oidcSubject: '110169484474386276334',
}
const WITH_IDENTITY = 'ada-lovelace'

export const addCredentials = (world: World, people: readonly Person[]) => {
  for (const person of people.filter((person) => activeCurrenciesOf(person).includes('USDB'))) {
    const { key, email, phone } = person
    const dice = new Dice(`${world.platform}/credential/${key}`)
    if (email) add(world, key, { type: 'EMAIL_OTP', nickname: email }, 120)
    if (phone && dice.chance(40)) add(world, key, { type: 'SMS_OTP', nickname: phone }, dice.int(60, 110))
    if (email && key === WITH_IDENTITY) add(world, key, { type: 'OAUTH', nickname: email, ...IDENTITY }, 45)
  }
}

type Credential = Pick<Prisma.AuthMethodCreateManyInput, 'type' | 'nickname'>

const add = (world: World, owner: string, credential: Credential, daysAgo: number) => {
  const at = world.ago(daysAgo * DAY)
  world.rows.authMethods.push({
    platformId: world.platformId,
    id: world.id(`credential/${owner}/${credential.type}`),
    accountId: internalAccountId(world, owner, 'USDB'),
    ...credential,
    createdAt: at,
    updatedAt: at,
  })
}
