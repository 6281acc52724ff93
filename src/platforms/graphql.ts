// What a caller can learn of itself and of this deployment.
import { API_VERSION } from '#core/api-version.ts'
import { API_PERMISSIONS, type Caller, ENVIRONMENTS, type Environment } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { descriptionOf, LIMIT_NAMES, limitOf } from '#graphql/limits/limits.ts'
import { load } from '#graphql/load.ts'
import { type Platform, platformsByIds } from './platform.ts'

const EnvironmentEnum = enumOf('Environment', 'Where the money is.', ENVIRONMENTS, {
  PRODUCTION: 'Real money.',
  SANDBOX: 'Test money, and test codes instead of delivered ones.',
})

const AuthSchemeEnum = enumOf('AuthScheme', 'How a caller proves who it is.', ['PLATFORM', 'AGENT'], {
  PLATFORM: 'HTTP Basic with API token id and client secret.',
  AGENT: 'Credentials that an agent got by device code redemption.',
})

const ApiPermissionEnum = enumOf('ApiPermission', 'What an API token may do. None implies another.', API_PERMISSIONS, {
  VIEW: 'Reads everything of the platform.',
  TRANSACT: 'Makes and executes payments, and uses wallets.',
  MANAGE: 'Manages agents, and decides what they may do.',
})

const PlatformType = builder.objectRef<Platform>('Platform').implement({
  description: 'A platform: the tenant that everything belongs to.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description:
        "`PlatformConfig:<uuid>`, which the platform's own transactions and accounts carry in the place of a customer's id.",
      resolve: ({ id }) => publicId('PlatformConfig', id),
    }),
    name: t.exposeString('name', { nullable: false, description: 'Name of the platform.' }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      nullable: false,
      description: 'Where its money is.',
    }),
  }),
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
    platform: t.field({
      type: PlatformType,
      description: 'The platform that is calling, or that the agent belongs to.',
      resolve: ({ platformId }, _args, context) => load(context, platformsByIds, platformId),
    }),
    permissions: t.field({
      type: [ApiPermissionEnum],
      nullable: { list: true, items: false },
      description: 'What the API token may do. Null for an agent: its policy says what it may do.',
      resolve: (caller) => (caller.scheme === 'PLATFORM' ? caller.permissions : null),
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
