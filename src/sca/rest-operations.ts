// `/sca`: second factors, logins, lockout and factor resets.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, emptyAnswer, failures, type Operations } from '#rest/operation.ts'
import { scaConfirmation, scaEnrolment } from './factors/enrolment.ts'
import { FACTOR_TEXTS } from './factors/factor.ts'
import { ofCustomer, scaEvent } from './lockout.ts'
import { scaLoginCompletion, scaLoginStart } from './login/login.ts'
import { FactorResetRecord, factorReset, factorResetCompletion } from './reset/reset.ts'
import {
  confirmedSchema,
  enrolmentSchema,
  factorListSchema,
  loginSchema,
  recordedEventSchema,
  resetSchema,
  startedResetSchema,
} from './rest-schema.ts'

const tags = ['Strong Customer Authentication']
const { customerId } = ADA
const refusals = failures(404, 409, 410, 423)

const factorPath = z.object({ credentialId: idOf('ScaFactor').describe(FACTOR_TEXTS.credentialId) })
const resetPath = z.object({ resetId: idOf('TwoFactorReset').describe(FactorResetRecord.texts.id) })

export const scaOperations: Operations = {
  '/sca/factors': {
    get: {
      operationId: 'listScaFactors',
      'x-graphql': ['ScaState.factors'],
      summary: 'List the enrolled factors of a customer',
      description: '`SMS_OTP` needs no enrolment: a verified phone number is enough.',
      tags,
      requestParams: { query: ofCustomer },
      responses: { 200: answer('The factors.', factorListSchema), ...refusals },
    },
    post: {
      operationId: 'enrollScaFactor',
      'x-graphql': ['Mutation.enrollScaFactor'],
      summary: 'Start the enrolment of a factor',
      description: 'Confirm it within 15 minutes. A passkey needs origins that the platform has set.',
      tags,
      requestBody: body(scaEnrolment.meta({ id: 'ScaEnrolmentRequest', description: 'The new factor.' }), {
        customerId,
        type: 'TOTP',
      }),
      responses: { 201: answer('What the customer needs to set up the factor.', enrolmentSchema), ...refusals },
    },
  },
  '/sca/factors/confirm': {
    post: {
      operationId: 'confirmScaFactor',
      'x-graphql': ['Mutation.confirmScaFactor'],
      summary: 'Confirm a factor',
      description: 'Send `secret` and `code` for a TOTP, or `origin` and `credential` for a passkey.',
      tags,
      requestBody: body(
        scaConfirmation.meta({ id: 'ScaConfirmationRequest', description: 'The proof that the factor works.' }),
        { customerId, secret: '3132333435363738393031323334353637383930', code: '123456' },
      ),
      responses: { 200: answer('The factor.', confirmedSchema), ...refusals },
    },
  },
  '/sca/factors/{credentialId}': {
    delete: {
      operationId: 'removeScaFactor',
      'x-graphql': ['Mutation.removeScaFactor'],
      summary: 'Remove a factor',
      description: "The customer's login ends. Removing a TOTP also removes its recovery codes.",
      tags,
      requestParams: { path: factorPath, query: ofCustomer },
      responses: { 204: emptyAnswer('The factor is removed.'), ...refusals },
    },
  },
  '/sca/login/start': {
    post: {
      operationId: 'startScaLogin',
      'x-graphql': ['Mutation.startScaLogin'],
      summary: 'Start the login of a customer',
      description: 'While an earlier login is valid, no challenge is raised.',
      tags,
      requestBody: body(scaLoginStart.meta({ id: 'ScaLoginRequest', description: 'The factor to log in with.' }), {
        customerId,
        factor: 'SMS_OTP',
      }),
      responses: { 200: answer('The login.', loginSchema), ...refusals },
    },
  },
  '/sca/login/complete': {
    post: {
      operationId: 'completeScaLogin',
      'x-graphql': ['Mutation.completeScaLogin'],
      summary: 'Complete the login of a customer',
      description: 'The login is valid for 180 days.',
      tags,
      requestBody: body(
        scaLoginCompletion.meta({
          id: 'ScaLoginCompletionRequest',
          description: 'The proof that the challenge asks for.',
        }),
        { customerId, factor: 'SMS_OTP', code: '123456' },
      ),
      responses: { 200: answer('The login.', loginSchema), ...refusals },
    },
  },
  '/sca/record-event': {
    post: {
      operationId: 'recordScaEvent',
      'x-graphql': ['Mutation.recordScaEvent'],
      summary: 'Record a login event of a customer at the platform',
      description:
        'Five failures in a row lock the customer for 15 minutes, six for 30 minutes, seven for an hour, eight for 24 hours; nine suspend. A password reset clears the count.',
      tags,
      requestBody: body(scaEvent.meta({ id: 'ScaEventRequest', description: 'What happened.' }), {
        customerId,
        eventType: 'FAILED_LOGIN_ATTEMPT',
      }),
      responses: {
        200: answer('The lockout state of the customer after the event.', recordedEventSchema),
        ...refusals,
      },
    },
  },
  '/sca/factors/reset': {
    post: {
      operationId: 'startScaFactorReset',
      'x-graphql': ['Mutation.startScaFactorReset'],
      summary: 'Start the replacement of a lost factor',
      description: 'At most five in 24 hours. In the sandbox the liveness check passes at once.',
      tags,
      requestBody: body(factorReset.meta({ id: 'FactorResetRequest', description: 'The lost factor.' }), {
        customerId,
        factor: 'TOTP',
      }),
      responses: { 201: answer('The reset.', startedResetSchema), ...failures(404, 409, 410, 423, 501) },
    },
  },
  '/sca/factors/reset/{resetId}': {
    get: {
      operationId: 'getScaFactorReset',
      'x-graphql': ['Query.node ... on TwoFactorReset'],
      summary: 'Get a factor reset',
      tags,
      requestParams: { path: resetPath, query: ofCustomer },
      responses: { 200: answer('The reset.', resetSchema), ...refusals },
    },
  },
  '/sca/factors/reset/{resetId}/complete': {
    post: {
      operationId: 'completeScaFactorReset',
      'x-graphql': ['Mutation.completeScaFactorReset'],
      summary: 'Complete a factor reset',
      description:
        'Removes the factor, so that the customer can enrol another. For `SMS_OTP` it changes the phone number, which must then be verified.',
      tags,
      requestParams: { path: resetPath },
      requestBody: body(
        factorResetCompletion.meta({
          id: 'FactorResetCompletionRequest',
          description: 'The new phone number, if any.',
        }),
        { customerId },
      ),
      responses: { 204: emptyAnswer('The reset is complete.'), ...refusals },
    },
  },
}
