import pg from 'pg'
import { reasonOf } from './outage.ts'
import { serversOf } from './url.ts'

export type Answer =
  | { readonly state: 'primary'; readonly timeline: string }
  | { readonly state: 'standby' }
  | { readonly state: 'unreachable'; readonly reason: string }

export type Choice = { readonly server: number } | Refusal

export interface Refusal {
  readonly refusal: 'none' | 'split'
  readonly sentence: string
}

export interface Used {
  readonly server: number | undefined
  readonly timeline: string
}

const unused: Used = { server: undefined, timeline: '' }

/**
 * When no primary can be reached, the last one stays chosen: it can be slow, and another primary would report itself.
 * Two primaries, or one with an older timeline than the last one, are refused, because gateways can have written to
 * both.
 */
export function choose(names: readonly string[], answers: readonly Answer[], used: Used): Choice {
  const primaries = answers.flatMap((answer, server) =>
    answer.state === 'primary' ? [{ server, name: names[server] ?? '', timeline: answer.timeline }] : [],
  )
  const [only, ...others] = primaries
  if (only && others.length > 0)
    return {
      refusal: 'split',
      sentence: `${primaries.map(({ name }) => name).join(' and ')} are primaries at once: nothing is written until all but one are stopped`,
    }
  if (only && only.timeline < used.timeline)
    return {
      refusal: 'split',
      sentence: `${only.name} is a primary of an older history than was last written: nothing is written until the newer one is back`,
    }
  if (only) return { server: only.server }
  if (used.server !== undefined && answers[used.server]?.state === 'unreachable')
    return { server: used.server }
  const found = answers.map((answer, index) =>
    answer.state === 'unreachable'
      ? `${names[index]} cannot be used (${answer.reason})`
      : `${names[index]} is a standby`,
  )
  return { refusal: 'none', sentence: `no server of DATABASE_URL is a primary: ${found.join(', ')}` }
}

/** Right after a promotion only the current position, not the last checkpoint, has the new timeline. */
const question = `SELECT CASE WHEN NOT pg_is_in_recovery()
  THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`

/** A database server that does not answer for this long must not delay the others. */
const silentMs = 2_000
const roundMs = 1_000

function createProbe(connectionString: string, applicationName: string) {
  let client: pg.Client | undefined

  async function connect(): Promise<pg.Client> {
    const own = new pg.Client({
      connectionString,
      application_name: applicationName,
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
    })
    own.on('error', () => undefined)
    client = own
    await own.connect()
    return own
  }

  return {
    async ask(): Promise<Answer> {
      try {
        const own = client ?? (await connect())
        const { rows } = await own.query<{ timeline: string | null }>(question)
        const timeline = rows[0]?.timeline
        return timeline ? { state: 'primary', timeline } : { state: 'standby' }
      } catch (error) {
        client?.connection.stream.destroy()
        client = undefined
        return { state: 'unreachable', reason: reasonOf(error) }
      }
    },
    end: async () => client?.end(),
  }
}

export interface Seen {
  readonly names: readonly string[]
  readonly answers: readonly Answer[]
  readonly choice: Choice
  readonly used: Used
}

function createLook(url: string, applicationName: string, before = unused) {
  const servers = serversOf(url)
  const names = servers.map((each) => new URL(each).host)
  const probes = servers.map((each) => createProbe(each, applicationName))
  let used = before
  return {
    async look(): Promise<Seen> {
      const answers = await Promise.all(probes.map((probe) => probe.ask()))
      const choice = choose(names, answers, used)
      const server = 'server' in choice ? choice.server : undefined
      const answer = server === undefined ? undefined : answers[server]
      used = { server, timeline: answer?.state === 'primary' ? answer.timeline : used.timeline }
      return { names, answers, choice, used }
    },
    end: () => Promise.all(probes.map((probe) => probe.end())),
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const kindOf = (choice: Choice | undefined) => choice && ('server' in choice ? choice.server : choice.refusal)

export interface Found {
  /** A URL that names only the present primary, for work that ends soon and need not follow a change of the primary. */
  readonly url: string
  readonly used: Used
}

export async function findPrimary(
  url: string,
  applicationName: string,
  onRefusal: (refusal: Refusal) => void,
): Promise<Found> {
  const servers = serversOf(url)
  if (servers.length === 1) return { url, used: unused }
  const { look, end } = createLook(url, applicationName)
  try {
    for (let before: Choice | undefined; ; ) {
      const { choice, used } = await look()
      if ('server' in choice) return { url: servers[choice.server] ?? url, used }
      if (kindOf(before) !== kindOf(choice)) onRefusal(choice)
      before = choice
      await pause(roundMs)
    }
  } finally {
    await end()
  }
}

/** `isOutage` must recognise the code of a connection that is ended here. */
const lost = (message: string) => Object.assign(new Error(message), { code: '08006' })
const cut = (client: pg.Client, message: string) => void client.connection.stream.destroy(lost(message))

type Connected = (...outcome: [Error] | [null, pg.Client]) => void

export type Servers = ReturnType<typeof followPrimary>

export interface FollowOptions {
  readonly applicationName: string
  readonly used?: Used | undefined
  readonly onChange?: ((seen: Seen) => void) | undefined
}

/** Ends connections to servers other than the primary, so that their users open new ones. */
export function followPrimary(
  url: string,
  { applicationName, used, onChange = () => undefined }: FollowOptions,
) {
  const { look, end } = createLook(url, applicationName, used)
  const addresses = serversOf(url).map((each) => {
    const { hostname, port } = new URL(each)
    return { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 5432) }
  })
  const open = new Map<pg.Client, number>()
  let seen: Seen | undefined
  let timer: NodeJS.Timeout | undefined
  let isEnded = false

  async function round(): Promise<Seen> {
    const now = await look()
    const isOther = kindOf(seen?.choice) !== kindOf(now.choice)
    seen = now
    if (isEnded) return now
    if (isOther) {
      endOthers(now)
      onChange(now)
    }
    timer = setTimeout(() => {
      looking = round()
    }, roundMs)
    return now
  }

  function endOthers({ names, choice }: Seen) {
    for (const [client, server] of open)
      if (server !== kindOf(choice))
        cut(client, 'refusal' in choice ? choice.sentence : `${names[server]} is no longer the primary`)
  }

  let looking = round()
  const first = looking

  class PrimaryClient extends pg.Client {
    #isStandby = false

    constructor(options?: pg.ClientConfig) {
      super(options)
      this.on('error', () => undefined)
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on'
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then((client) => callback(null, client), callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      const { choice } = seen ?? (await first)
      if ('refusal' in choice) throw lost(choice.sentence)
      Object.assign(this, addresses[choice.server])
      open.set(this, choice.server)
      this.once('end', () => open.delete(this))
      await super.connect()
      if (!this.#isStandby) return this
      const message = `${this.host}:${this.port} is a standby`
      cut(this, message)
      throw lost(message)
    }
  }

  return {
    Client: PrimaryClient,
    states: (): readonly Answer['state'][] => (seen?.answers ?? []).map(({ state }) => state),
    isSplit: () => kindOf(seen?.choice) === 'split',
    async end(): Promise<void> {
      isEnded = true
      clearTimeout(timer)
      await looking
      await end()
    },
  }
}
