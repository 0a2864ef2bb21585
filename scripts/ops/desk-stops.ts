import type { KnownLists } from '#server/desk/stops/desk-stops.rules.ts'
import { changeStops, listStops, type StopsOrigin } from '#server/desk/stops/desk-stops.ts'
import { findStoredList } from '#server/features/partner/partner.queries.ts'
import { isFailure } from '#server/platform/errors.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { isoOf, riyadhOffset } from '#shared/platform/instant.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { stopKinds } from '#shared/platform/stop-kinds.ts'
import { oneLine, readableForms } from '#shared/platform/typed-text.ts'
import type { StaffStop } from '#shared/stops/stops.schemas.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsContext, type OpsOptions, operatorOf, type Verb, withoutArguments } from './context.ts'
import { table } from './format.ts'

type Target = Pick<Stop, 'what' | 'code'>

/** The lists of the partner that a gateway has stored. */
async function readLists(context: OpsContext): Promise<KnownLists> {
  const rowsOf = async <T>(kind: 'agents' | 'centers'): Promise<readonly T[] | undefined> => {
    const copy = await findStoredList(context, kind)
    return copy && JSON.parse(copy.body)
  }
  return {
    agents: await rowsOf<PartnerAgent>('agents'),
    centers: await rowsOf<Center>('centers'),
  }
}

/** `all`, `agent A01`, `branch 12` or `city Al Khobar`. */
function readTarget([kind, ...rest]: readonly string[]): Target {
  const what = stopKinds.find((each) => each === kind)
  const code = rest.join(' ')
  if (what === undefined || (what === 'all') !== (code === ''))
    throw new UsageError('name all, agent <id>, branch <code> or city <its English name>')
  return { what, ...(code === '' ? {} : { code }) }
}

const nameOf = ({ what, code }: Target) => (code === undefined ? what : `${what} ${code}`)

/** With a zone, or in Riyadh's time. */
function readInstant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, zone] = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? ['none', 'none']
  const at = Date.parse(`${text}${zone === undefined ? riyadhOffset : ''}`)
  if (Number.isNaN(at)) throw new UsageError(`${text} is no time such as 2027-05-18T06:00`)
  return isoOf(at)
}

function readText({ what }: Target, { ar, en }: OpsOptions): Stop['text'] {
  if (ar === undefined && en === undefined) return usualSentences[what]
  const text = { ar: oneLine(ar ?? ''), en: oneLine(en ?? '') }
  for (const [name, { length }] of Object.entries(text))
    if (length < 5 || length > 300) throw new UsageError(`--${name} must have 5 to 300 characters`)
  if (!readableForms.letters(text.en)) throw new UsageError('--en must have letters')
  if (!/\p{Script=Arabic}/u.test(text.ar)) throw new UsageError('--ar is the sentence in Arabic')
  return text
}

function originWith(context: OpsContext): StopsOrigin {
  return { by: operatorOf(context), reason: context.reason ?? '' }
}

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isFailure(error, 'STOPS_REFUSED')) throw error
    throw new Error((error.details.fields ?? []).map(({ text }) => text.en).join(' '), { cause: error })
  }
}

function listInWords(stops: readonly StaffStop[]): string {
  if (stops.length === 0) return 'nothing is stopped'
  const rows = stops.map((stop) => [
    nameOf(stop),
    stop.isInForce ? 'in force' : 'begins later',
    stop.from ?? '-',
    stop.until ?? 'until it is ended',
    stop.by,
    stop.reason,
    `${stop.text.ar} / ${stop.text.en}`,
  ])
  return table([['stopped', 'state', 'from', 'until', 'by', 'reason', 'pilgrims read'], ...rows])
}

function checkReason(options: OpsOptions): void {
  if (options.reason === undefined) throw new UsageError('say why, with --reason')
}

export const stopVerbs = {
  stop(args, options) {
    checkReason(options)
    const target = readTarget(args)
    const [from, until] = [readInstant(options.from), readInstant(options.until)]
    const stop = {
      ...target,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
      text: readText(target, options),
    }
    return async (context) => {
      const lists = await readLists(context)
      const change = changeStops(context, lists, originWith(context), async (current) => [...current, stop])
      return listInWords((await inWords(change)).stops)
    }
  },

  sell(args, options) {
    checkReason(options)
    const target = readTarget(args)
    return async (context) => {
      const lists = await readLists(context)
      const { stops } = await changeStops(context, lists, originWith(context), async (current) => {
        const left = current.filter((stop) => nameOf(stop) !== nameOf(target))
        if (left.length === current.length)
          throw new Error(`${nameOf(target)} is not stopped, so nothing was changed`)
        return left
      })
      return `${nameOf(target)}: sold again\n${listInWords(stops)}`
    }
  },

  stops: withoutArguments(async (context) => listInWords((await listStops(context)).stops)),
} satisfies Readonly<Record<string, Verb>>
