import type { Database } from '#server/platform/database/database.ts'
import { readArguments, UsageError } from '../lib/tool.ts'
import { checkOptions, createContext, type OpsContext, type Verb } from './context.ts'
import { audit } from './desk-audit.ts'
import { requestAtDesk } from './desk-requests.ts'
import { endDeskSessions } from './desk-sessions.ts'
import { stopVerbs } from './desk-stops.ts'
import { find } from './find.ts'
import { listVerbs } from './lists.ts'
import { restoreNumber } from './numbers.ts'
import { orderVerbs } from './orders.ts'
import { acceptList } from './partner-lists.ts'
import { openAgent, unlock } from './phones.ts'
import { prune } from './prune.ts'
import { endSessions } from './sessions.ts'
import { workerVerbs } from './workers.ts'

const stopOptions = {
  ar: { type: 'string' },
  en: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
} as const

interface VerbRow {
  /** The arguments and options that the verb has beside `--by`, `--as`, `--reason` and `--yes`. */
  readonly takes?: string
  /** One line. */
  readonly help: string
  readonly work: Verb
}

const readingVerbs: Readonly<Record<string, VerbRow>> = {
  find: {
    takes: '<what>',
    help: 'an order by its number, reference, airway bill or transaction; by phone: its sign-in and its orders',
    work: find,
  },
  stuck: {
    help: 'paid bookings without an airway bill for 15 minutes, and refunds not done after six hours',
    work: listVerbs.stuck,
  },
  bags: {
    help: 'bags that are damaged, lost, returning, silent, or have scans that contradict',
    work: listVerbs.bags,
  },
  messages: {
    help: 'messages about bags that failed, were dropped or have waited for 15 minutes',
    work: listVerbs.messages,
  },
  receipts: {
    help: 'checks that no number of a receipt or invoice is missing',
    work: listVerbs.receipts,
  },
  workers: {
    help: 'the background work of all gateways, and since when it is paused',
    work: workerVerbs.workers,
  },
  // desk
  stops: {
    help: 'what is not sold, or will not be from a time, and what pilgrims read of it',
    work: stopVerbs.stops,
  },
  audit: {
    takes: '[OD-n | n]',
    help: 'what operators and staff changed, newest first; of one order',
    work: audit,
  },
  // desk
}

const changingVerbs: Readonly<Record<string, VerbRow>> = {
  inquire: {
    takes: '<OD-n | n>',
    help: 'asks the payment provider about an order now',
    work: orderVerbs.inquire,
  },
  reissue: {
    takes: '<OD-n | n>',
    help: 'permits one more airway bill for the stopped bags of an order; with a desk it only asks, as --as',
    work: orderVerbs.reissue,
  },
  refund: {
    takes: '<OD-n | n>',
    help: 'returns a payment, or tries a waiting refund again; needs --reason; with a desk it only asks, as --as',
    work: orderVerbs.refund,
  },
  'write-off': {
    takes: '<OD-n | n> [transaction]',
    help: 'closes a refund that cannot be made; needs --reason; with a desk it only asks, as --as',
    work: orderVerbs['write-off'],
  },
  resend: {
    takes: '<OD-n | n>',
    help: 'sends the failed and dropped messages of an order again, and tries the waiting ones now',
    work: orderVerbs.resend,
  },
  seen: {
    takes: '<OD-n | n>',
    help: 'takes the bags of an order off the list of `bags`, until the next scan',
    work: orderVerbs.seen,
  },
  unlock: {
    takes: '<phone | address>',
    help: 'opens a sign-in that is stopped after too many wrong codes in a row',
    work: unlock,
  },
  'open-agent': {
    takes: '<phone> <six digits>',
    help: 'lets the browser with these digits past the codes of a day, once; needs --reason',
    work: openAgent,
  },
  'restore-number': {
    takes: '<phone> <former phone>',
    help: 'gives an account back to the number that it had, and ends its sessions; needs --as and --reason; not with a desk',
    work: restoreNumber,
  },
  'end-sessions': {
    help: 'ends the sessions of all pilgrims and agents; needs --as and --reason',
    work: endSessions,
  },
  // desk
  'end-desk-sessions': {
    help: 'ends the sessions of all staff at the desk; needs --as and --reason',
    work: endDeskSessions,
  },
  // desk
  'accept-list': {
    takes: '<centers | agents>',
    help: 'accepts the much shorter list of the courier that is refused; needs --reason',
    work: acceptList,
  },
  pause: {
    takes: '<worker> | all',
    help: 'stops background work on all gateways, until it is resumed',
    work: workerVerbs.pause,
  },
  resume: {
    takes: '<worker> | all',
    help: 'lets background work go on',
    work: workerVerbs.resume,
  },
  // desk
  stop: {
    takes: '<what>',
    help: 'sells no more of all, agent <id>, branch <code> or city <name>; --from, --until, --ar, --en; needs --reason',
    work: stopVerbs.stop,
  },
  sell: {
    takes: '<what>',
    help: 'sells it again; needs --reason',
    work: stopVerbs.sell,
  },
  // desk
  prune: {
    help: 'deletes what is kept no longer, at once',
    work: prune,
  },
}

const verbs: Readonly<Record<string, VerbRow>> = { ...readingVerbs, ...changingVerbs }

export const helpLine = (name: string, { takes = '', help }: Pick<VerbRow, 'takes' | 'help'>) =>
  `  ${`${name} ${takes}`.trimEnd().padEnd(38)} ${help}`

const helpOf = (rows: Readonly<Record<string, VerbRow>>) =>
  Object.entries(rows).map(([name, row]) => helpLine(name, row))

export const verbsHelp = ['Reading:', ...helpOf(readingVerbs), 'Changing:', ...helpOf(changingVerbs)].join(
  '\n',
)

/**
 * Reads a verb and its arguments. The result works on a gateway's database at a time of its clock and returns the
 * text to print.
 * @throws UsageError
 */
export function readVerb(
  args: readonly string[],
): (database: Database, gateway: Pick<OpsContext, 'now' | 'hasDesk'>) => Promise<string> {
  const { positionals, values } = readArguments(args, {
    by: { type: 'string' },
    as: { type: 'string' },
    reason: { type: 'string' },
    yes: { type: 'boolean' },
    ...stopOptions,
  })
  const [name = '', ...rest] = positionals
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError(name === '' ? '' : `there is no verb ${name}`)
  checkOptions(values)
  const stray = Object.keys(stopOptions).find((option) => Object.hasOwn(values, option))
  if (stray !== undefined && name !== 'stop') throw new UsageError(`--${stray} belongs to stop`)
  const work = verb.work(rest, values)
  return (database, gateway) =>
    work(
      createContext(
        database,
        values,
        gateway,
        // desk
        requestAtDesk,
        // desk
      ),
    )
}
