// The queries `viewer` and `apiInfo`.
import { API_VERSION } from '#core/api-version.ts'
import { API_PERMISSIONS, type Caller, ENVIRONMENTS, type Environment } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { builder, type Context } from '#graphql/builder.ts'
import { from, read } from '#graphql/compiled/field.ts'
import { batchOf, partOf } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { withCost } from '#graphql/limits/field-cost.ts'
import { descriptionOf, LIMIT_NAMES, limitOf } from '#graphql/limits/limits.ts'
import { type Platform, platformsByIds } from './platform.ts'

export const EnvironmentEnum = enumOf('Environment', 'Environment of a platform.', ENVIRONMENTS, {
  PRODUCTION: 'Real money.',
  SANDBOX: 'Test money. One-time codes are fixed and not delivered.',
})

const AuthSchemeEnum = enumOf('AuthScheme', 'How a caller authenticates.', ['PLATFORM', 'AGENT'], {
  PLATFORM: 'A platform, with HTTP Basic: the client id and secret of an API token.',
  AGENT: 'An agent, with the access token that it received for a device code.',
})

export const ApiPermissionEnum = enumOf(
  'ApiPermission',
  'What an API token may do. None implies another.',
  API_PERMISSIONS,
  {
    VIEW: 'Reads all data of the platform.',
    TRANSACT: 'Makes and executes payments, and uses wallets.',
    MANAGE: 'Changes the configuration, API tokens, customers, agents and webhooks.',
  },
)

const PlatformType = builder.objectRef<Platform>('Platform').implement({
  description: 'A platform. It is the tenant that owns all data.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description:
        "`PlatformConfig:<uuid>`, which the platform's own transactions and accounts carry in place of a customer's id.",
      resolve: ({ id }) => publicId('PlatformConfig', id),
    }),
    name: t.exposeString('name', { nullable: false, description: 'Name of the platform.' }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      nullable: false,
      description: 'Environment of the platform.',
    }),
  }),
})

const ofCaller = <T>(resolve: (caller: Caller) => T) => from<Caller>()([], (_row, _args, { caller }) => resolve(caller))

export const ViewerType = builder.objectRef<Caller>('Viewer').implement({
  description: 'The authenticated caller.',
  fields: (t) => ({
    scheme: t.field({
      type: AuthSchemeEnum,
      nullable: false,
      description: 'How the caller authenticated.',
      ...ofCaller(({ scheme }) => scheme),
    }),
    subject: t.id({
      nullable: false,
      description: 'Id of the API token or the agent.',
      ...ofCaller((caller) =>
        caller.scheme === 'PLATFORM' ? publicId('Token', caller.tokenId) : publicId('Agent', caller.agentId),
      ),
    }),
    platform: t.field({
      type: PlatformType,
      description: 'The platform that is calling, or that the agent belongs to.',
      deprecationReason:
        'It has the id of a `PlatformConfig`, so a client that keeps objects by their ids mixes the two. Select `platformConfig`. A caller without access to that may select this without its id.',
      ...withCost({ rows: 1 }, batchOf(platformsByIds, 'platformId')),
    }),
    permissions: t.field({
      type: [ApiPermissionEnum],
      nullable: { list: true, items: false },
      description: 'Permissions of the API token. Null for an agent, whose permissions are in its policy.',
      ...ofCaller((caller) => (caller.scheme === 'PLATFORM' ? caller.permissions : null)),
    }),
  }),
})

const limits = { maxPageSize: MAX_PAGE_SIZE, defaultPageSize: DEFAULT_PAGE_SIZE }

/** Slices add their own limits. */
export const ApiLimitsType = builder.objectRef<typeof limits>('ApiLimits').implement({
  description: 'Limits on requests.',
  fields: (t) => ({
    maxPageSize: t.exposeInt('maxPageSize', { nullable: false, description: 'Maximum number of items per page.' }),
    defaultPageSize: t.exposeInt('defaultPageSize', {
      nullable: false,
      description: 'Number of items per page if the request does not specify one.',
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
  description: 'Information about the API.',
  fields: (t) => ({
    version: t.exposeString('version', {
      nullable: false,
      description: 'Version of the API, a date such as `2025-10-13`.',
    }),
    environment: t.expose('environment', {
      type: EnvironmentEnum,
      nullable: false,
      description:
        'Environment of the caller. Both environments share one address, and the credentials select one. `PRODUCTION` without credentials.',
    }),
    limits: t.expose('limits', {
      type: ApiLimitsType,
      nullable: false,
      description: 'Limits on requests.',
    }),
  }),
})

builder.queryFields((t) => ({
  viewer: t.field({
    type: ViewerType,
    description: 'The authenticated caller.',
    // The row of the operation has the columns of the caller.
    ...read((_root: unknown, _args: object, { caller }: Context) => caller, partOf().extensions.compile),
  }),
  apiInfo: t.field({
    type: ApiInfoType,
    nullable: false,
    description: 'Version, environment and limits of the API. Needs no credentials.',
    resolve: (_root, _args, { caller }: { caller?: Caller }) => ({
      version: API_VERSION,
      environment: caller?.environment ?? 'PRODUCTION',
      limits,
    }),
  }),
}))
