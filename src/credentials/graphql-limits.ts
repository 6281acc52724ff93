import { MAX_TOKEN_AGE_SECONDS } from '#credentials/kinds/oidc/token.ts'
import { SIGNED_RETRY_SECONDS } from '#credentials/signed-retry/pending-request.ts'
import { builder } from '#graphql/builder.ts'
import { ApiLimitsType } from '#platforms/graphql.ts'

builder.objectFields(ApiLimitsType, (t) => ({
  signedRetrySeconds: t.int({
    nullable: false,
    description: 'How many seconds after its challenge a signed retry is accepted.',
    resolve: () => SIGNED_RETRY_SECONDS,
  }),
  oidcTokenMaxAgeSeconds: t.int({
    nullable: false,
    description: 'Maximum age of an OIDC identity token, in seconds.',
    resolve: () => MAX_TOKEN_AGE_SECONDS,
  }),
}))
