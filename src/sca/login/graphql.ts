// The mutations of a customer's login by a second factor.
import '#sca/factors/graphql.ts'
import { enumOf } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, type Success } from '#graphql/mutation.ts'
import { ScaChallengeNode } from '#sca/challenge/graphql.ts'
import { customerField, type OfCustomer } from '#sca/graphql-customer.ts'
import {
  completeScaLogin,
  LOGIN_STATUSES,
  LOGIN_TEXTS,
  type ScaLogin,
  scaLoginCompletion,
  scaLoginStart,
  startScaLogin,
} from './login.ts'

const LoginStatusEnum = enumOf('ScaLoginStatus', 'State of a login.', LOGIN_STATUSES, {
  CHALLENGED: 'The challenge waits for its proof.',
  AUTHENTICATED: 'The login is valid.',
})

const loginOf = (description: string): Success<ScaLogin & OfCustomer> => ({
  description,
  fields: (t) => ({
    loginStatus: t.expose('status', { type: LoginStatusEnum, nullable: false, description: LOGIN_TEXTS.status }),
    authenticatedUntil: t.expose('authenticatedUntil', {
      type: 'DateTime',
      description: LOGIN_TEXTS.authenticatedUntil,
    }),
    scaChallenge: t.expose('scaChallenge', { type: ScaChallengeNode, description: LOGIN_TEXTS.scaChallenge }),
    customer: customerField(t),
  }),
})

const STATUSES = [400, 403, 404, 409, 410, 423, 429] as const

addMutation('startScaLogin', {
  description:
    'Starts the login of a customer with a factor, and returns the challenge to pass. While an earlier login is valid, no challenge is raised. `ConflictError` for a factor that the customer does not have (`SCA_FACTOR_MISSING`).',
  input: schemaInput(scaLoginStart),
  statuses: STATUSES,
  resolve: async (input, { caller }) => ({
    ...(await startScaLogin(caller, input)),
    customerId: input.customerId,
  }),
  success: loginOf('The login is started, or not needed. REST: 200.'),
})

addMutation('completeScaLogin', {
  description:
    'Passes the challenge of a login, which is then valid for 180 days. `BadRequestError` for a wrong proof; `RateLimitError` after five wrong proofs.',
  input: schemaInput(scaLoginCompletion),
  statuses: STATUSES,
  usesCredential: true,
  resolve: async (input, { caller }) => ({
    ...(await completeScaLogin(caller, input)),
    customerId: input.customerId,
  }),
  success: loginOf('The customer is logged in. REST: 200.'),
})
