import Type, { type Static, type TProperties } from 'typebox'
import { type CollectionTag, parse } from 'yaml'
import { readRepoFile } from './repo-files.ts'

const strict = { additionalProperties: false } as const
const texts = Type.Array(Type.String())
const textByName = Type.Record(Type.String(), Type.String())
const optionalOf = <T extends TProperties>(properties: T) => Type.Partial(Type.Object(properties), strict)

/** A file or folder of `docker compose watch`. */
const Watched = Type.Union([
  Type.Object({ action: Type.Literal('rebuild'), path: Type.String() }, strict),
  Type.Object({ action: Type.Literal('sync'), path: Type.String(), target: Type.String() }, strict),
])

/** What our compose files say of a service, in the words of github compose-spec/compose-spec. */
const ComposeService = optionalOf({
  image: Type.String(),
  build: Type.Object({ context: Type.String(), target: Type.String() }, strict),
  profiles: texts,
  user: Type.String(),
  ports: texts,
  environment: textByName,
  env_file: Type.Array(Type.Object({ path: Type.String(), required: Type.Boolean() }, strict)),
  volumes: texts,
  depends_on: Type.Record(
    Type.String(),
    Type.Object(
      { condition: Type.Literal('service_healthy'), required: Type.Optional(Type.Boolean()) },
      strict,
    ),
  ),
  healthcheck: Type.Object(
    {
      test: texts,
      interval: Type.String(),
      timeout: Type.String(),
      retries: Type.Optional(Type.Integer()),
    },
    strict,
  ),
  stop_grace_period: Type.String(),
  restart: Type.Literal('unless-stopped'),
  logging: Type.Object({ driver: Type.String(), options: textByName }, strict),
  read_only: Type.Boolean(),
  tmpfs: texts,
  cap_drop: texts,
  security_opt: texts,
  mem_limit: Type.String(),
  pids_limit: Type.Integer(),
  ulimits: Type.Object({ nofile: Type.Integer() }, strict),
  networks: Type.Record(Type.String(), Type.Object({ ipv4_address: Type.String() }, strict)),
  develop: Type.Object({ watch: Type.Array(Watched) }, strict),
})

const ComposeNetwork = Type.Object(
  {
    ipam: Type.Object(
      {
        config: Type.Array(
          Type.Object({ subnet: Type.String(), gateway: Type.String(), ip_range: Type.String() }, strict),
        ),
      },
      strict,
    ),
  },
  strict,
)

/** Extensions, whose names begin with `x-`, are merged into services and checked there. */
export const Compose = Type.Object(
  {
    services: Type.Record(Type.String(), ComposeService),
    volumes: Type.Optional(Type.Record(Type.String(), Type.Null())),
    networks: Type.Optional(Type.Record(Type.String(), ComposeNetwork)),
    'x-hardened': Type.Optional(Type.Unknown()),
    'x-gateway': Type.Optional(Type.Unknown()),
  },
  strict,
)
export type Compose = Static<typeof Compose>

/** docker-compose.yml with its anchors resolved; variables stay as they are written. */
export const readCompose = (): Compose => parseCompose(readRepoFile('docker-compose.yml'))

export const parseCompose = (text: string): Compose => parse(text, { merge: true, customTags: [reset] })

/** `!reset` of compose: what follows is the whole value, without that of the file before. */
const reset = {
  tag: '!reset',
  collection: 'seq',
  resolve: (value) => value,
} satisfies CollectionTag

/** The services that `docker compose up` starts with these profiles. */
export const activeServices = ({ services }: Compose, profiles: readonly string[] = []) =>
  Object.entries(services)
    .filter(([, { profiles: own }]) => own === undefined || own.some((each) => profiles.includes(each)))
    .map(([name]) => name)

/** `${NAME}`, `${NAME-default}` and `${NAME:-default}`, also nested, as compose replaces them. */
export function interpolate(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const innermost = /\$\{(\w+)(?:(:?-)([^${}]*))?\}/
  const next = text.replace(innermost, (_, name: string, mark?: string, fallback = '') => {
    const value = env[name]
    const isSet = mark === ':-' ? value !== undefined && value !== '' : value !== undefined
    return isSet ? (value ?? '') : fallback
  })
  return next === text ? text : interpolate(next, env)
}
