// What a caller can learn of itself and of this deployment.
import { API_VERSION } from '#core/api-version.ts'
import { type Caller, ENVIRONMENTS, type Environment } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { descriptionOf, LIMIT_NAMES, limitOf } from '#graphql/limits/limits.ts'

const EnvironmentEnum = enumOf('Environment', 'Where the money is.', ENVIRONMENTS, {
  PRODUCTION: 'Real money.',
  SANDBOX: 'Test money, and test codes instead of delivered ones.',
})

const AuthSchemeEnum = enumOf('AuthScheme', 'How a caller proves who it is.', ['PLATFORM', 'AGENT'], {
  PLATFORM: 'HTTP Basic with API token id and client secret.',
  AGENT: 'Credentials that an agent got by device code redemption.',
})

export const ViewerType = builder.objectRef<Caller>('Viewer').implement({
  description: 'Who is calling.',
  fields: (t) => ({
    scheme: t.expose('scheme', {
      type: AuthSchemeEnum,
      nullable: false,
      description: 'How the caller proved who it is.',
    }),
    subject: t.id({
      nullable: false,
      description: 'API token id or agent id.',
      resolve: (caller) =>
        caller.scheme === 'PLATFORM' ? publicId('Token', caller.tokenId) : publicId('Agent', caller.agentId),
    }),
  }),
})

const limits = { maxPageSize: MAX_PAGE_SIZE, defaultPageSize: DEFAULT_PAGE_SIZE }

/** Slices add the limits that they hold callers to. */
export const ApiLimitsType = builder.objectRef<typeof limits>('ApiLimits').implement({
  description: 'Limits that requests are held to.',
  fields: (t) => ({
    maxPageSize: t.exposeInt('maxPageSize', { nullable: false, description: 'Most items of a page.' }),
    defaultPageSize: t.exposeInt('defaultPageSize', {
      nullable: false,
      description: 'Items of a page when none are asked for.',
    }),
    ...Object.fromEntries(
      LIMIT_NAMES.map((name) => [
        name,
        t.int({ nullable: false, description: descriptionOf(name), resolve: () => limitOf(name) }),
      ]),
    ),
  }),
})

interface ApiInfo {
  readonly version: string
  readonly environment: Environment
  readonly limits: typeof limits
}

const ApiInfoType = builder.objectRef<ApiInfo>('ApiInfo').implement({
  description: 'Facts about this deployment.',
  fields: (t) => ({
    version: t.exposeString('version', { nullable: false, description: 'Date string, `2025-10-13`.' }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      nullable: false,
      description:
        'Where the API runs: both environments share one address, and the API token decides. `PRODUCTION` without credentials.',
    }),
    limits: t.expose('limits', {
      type: ApiLimitsType,
      nullable: false,
      description: 'Limits that requests are held to.',
    }),
  }),
})

builder.queryFields((t) => ({
  viewer: t.field({ type: ViewerType, description: 'Who is calling.', resolve: (_root, _args, { caller }) => caller }),
  apiInfo: t.field({
    type: ApiInfoType,
    nullable: false,
    description: 'Version, environment and limits. Needs no credentials.',
    resolve: (_root, _args, { caller }: { caller?: Caller }) => ({
      version: API_VERSION,
      environment: caller?.environment ?? 'PRODUCTION',
      limits,
    }),
  }),
}))
