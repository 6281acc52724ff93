// The schema: every slice adds its part when it is imported.
import './node.ts'
import './scalars.ts'
import '#accounts/graphql.ts'
import '#agents/graphql.ts'
import '#agents/graphql-approvals.ts'
import '#cards/graphql.ts'
import '#customers/graphql.ts'
import '#platforms/graphql.ts'
import '#quotes/graphql.ts'
import '#transactions/graphql.ts'
import '#transactions/graphql-cards.ts'
import '#transactions/graphql-links.ts'
import '#transactions/graphql-payments.ts'
import { builder } from './builder.ts'

export const schema = builder.toSchema()
