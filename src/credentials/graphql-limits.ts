import { MAX_TOKEN_AGE_SECONDS } from '#credentials/kinds/oidc/token.ts'
import { SIGNED_RETRY_SECONDS } from '#credentials/signed-retry/pending-request.ts'
import { builder } from '#graphql/builder.ts'
import { ApiLimitsType } from '#platforms/graphql.ts'

builder.objectFields(ApiLimitsType, (t) => ({
  signedRetrySeconds: t.int({
    nullable: false,
    description: 'How long a signed retry can be sent after its challenge.',
    resolve: () => SIGNED_RETRY_SECONDS,
  }),
  oidcTokenMaxAgeSeconds: t.int({
    nullable: false,
    description: 'How old an OIDC identity token may be.',
    resolve: () => MAX_TOKEN_AGE_SECONDS,
  }),
}))
