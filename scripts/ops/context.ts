import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Core } from '#server/core.ts'
import { type Act, findSignIn, recordAct } from '#server/features/history/acts.ts'
import type { ActedOrder, ActRequest, Origin } from '#server/features/operators/operators.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Database } from '#server/platform/database/database.ts'
import { oneLine, readableForms } from '#shared/platform/typed-text.ts'
import { readToolConfig, UsageError } from '../lib/tool.ts'

export interface OpsOptions {
  readonly by?: string | undefined
  readonly as?: string | undefined
  readonly reason?: string | undefined
  /** Answers the question before a change that cannot be taken back. */
  readonly yes?: boolean | undefined
  /** For a stop: the sentence for pilgrims, and its times. */
  readonly ar?: string | undefined
  readonly en?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

export interface OpsContext {
  readonly database: Database
  readonly actor: string
  readonly user: string
  readonly as: string | undefined
  readonly reason: string | null
  readonly now: number
  /** Asks at the terminal, unless `--yes` was given. @throws unless the answer is yes */
  readonly confirm: (question: string) => Promise<void>
  /** The gateway has a desk: acts that need two people are requested here and approved there. */
  readonly hasDesk: boolean
  /** Requests at the desk what needs two people, and returns the lines to print; undefined without a desk. */
  readonly requestApproval: RequestApproval | undefined
}

export type RequestApproval = (
  context: OpsContext,
  order: ActedOrder,
  wanted: ActRequest,
) => Promise<readonly string[]>

/** Parses its arguments before a database is opened; returns the text to print. */
export type Verb = (args: readonly string[], options: OpsOptions) => (context: OpsContext) => Promise<string>

export const withoutArguments =
  (work: (context: OpsContext) => Promise<string>): Verb =>
  (args) => {
    if (args.length > 0) throw new UsageError()
    return work
  }

export const readSilenceMs = () => readToolConfig().TRACKING_SILENCE_HOURS * 60 * 60_000

export function createContext(
  database: Database,
  options: OpsOptions,
  { now, hasDesk }: Pick<OpsContext, 'now' | 'hasDesk'>,
  requestApproval?: RequestApproval,
): OpsContext {
  return {
    database,
    actor: actorOf(options.by ?? options.as),
    user: systemUser(),
    as: options.as?.trim(),
    reason: oneLine(options.reason ?? '') || null,
    now,
    confirm: options.yes ? async () => undefined : (question) => confirmAt(process, question),
    hasDesk,
    requestApproval: hasDesk ? requestApproval : undefined,
  }
}

interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream
}

/** @throws unless somebody at the terminal answers yes */
export async function confirmAt({ stdin, stdout }: Terminal, question: string): Promise<void> {
  if (!stdin.isTTY) throw new Error(`${question} Repeat it with --yes; nothing was changed`)
  const terminal = createInterface({ input: stdin, output: stdout })
  const answer = await terminal.question(`${question} [yes/no] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('the answer was not yes, so nothing was changed')
}

/** @throws UsageError when a text is empty or long: an audit row is no place for documents */
export function checkOptions(options: OpsOptions): void {
  for (const [name, longest] of [
    ['by', 60],
    ['as', 200],
    ['reason', 300],
  ] as const) {
    const typed = options[name]
    if (typed === undefined) continue
    const text = oneLine(typed)
    if (text === '' || text.length > longest)
      throw new UsageError(`--${name} must have 1 to ${longest} characters`)
    // Subjects of some identity providers have only digits.
    if (name !== 'as' && !readableForms.letters(text)) throw new UsageError(`--${name} must have letters`)
  }
}

/** The given name, and the user of the operating system: in a container all operators are one user. */
function actorOf(by: string | undefined): string {
  const system = systemUser()
  return by === undefined ? system : `${oneLine(by)} (${system})`
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

export const operatorOf = ({ actor }: OpsContext) => ({ kind: 'operator', name: actor }) as const

/** Who acts, when, and why. */
export const originOf = (context: OpsContext): Origin => ({
  by: operatorOf(context),
  at: context.now,
  reason: context.reason,
})

/** The core for steps that need database and clock alone: a terminal has no gateway. */
export const coreOf = ({ database, now }: OpsContext): Core =>
  ({ database, clock: { now: () => now } }) as Core

export const record = (context: OpsContext, act: Omit<Act, 'by' | 'reason'>): Promise<number> =>
  recordAct(context, { ...act, by: operatorOf(context), reason: context.reason })

const knownForDays = 30

/**
 * The colleague in `--as`.
 * @throws Error without one, or when nobody of that name signed in lately
 */
export async function readColleague({ as, now, database }: OpsContext) {
  if (as === undefined)
    throw new Error('say who asks, with --as <subject>: the name of that person at the identity provider')
  const signIn = await findSignIn({ database }, as, now - daysMs(knownForDays))
  if (signIn?.by.kind !== 'staff')
    throw new Error(`${as} has not signed in at the desk within ${knownForDays} days, so nothing was changed`)
  const { name, issuer, subject, roles } = signIn.by
  return { name, issuer, subject, roles }
}
