import { type CollectionTag, parse } from 'yaml'
import { readRepoFile } from './repo-files.ts'

export interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly target: string }
  readonly profiles?: readonly string[]
  readonly user?: string
  readonly ports?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly cap_add?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly privileged?: boolean
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

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
