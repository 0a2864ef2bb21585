import { createOrdersStore, type OrdersStore } from '#server/features/orders/orders.store.ts'
import { createReceiptsStore } from '#server/features/receipts/receipts.store.ts'
import { checkSequence } from '#server/features/receipts/sequence.service.ts'
import { createTrackingStore } from '#server/features/tracking/tracking.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readDatabaseLocation, readToolConfig, runTool, UsageError, withSource } from './lib/tool.ts'

const usage = `usage: npm run ops -- <verb>
  stuck                lists paid bookings that need an operator: stopped, or without an airway bill for 15 minutes
  reissue <OD-n | n>   permits another creation for the stopped bookings of an order, after another look-up
  bags                 lists bags that need an operator: damaged, lost, returning, contradicting scans, or silent for
                       TRACKING_SILENCE_HOURS
  seen <OD-n | n>      takes the bags of an order off that list; a new scan puts them there again
  receipts             checks the sequence of receipts and invoices: no number missing, none changed
For operators of a running gateway, through its database. Reads DATA_DIR and DATABASE_URL from the environment
and .env.`

/** Retries may take this long before an operator is needed. */
const overdueMs = 15 * 60_000
const mostShown = 500

function orderNumber(text: string | undefined): number {
  const digits = /^(?:OD-)?([1-9]\d{0,14})$/i.exec(text ?? '')?.[1]
  if (digits === undefined) throw new UsageError()
  return Number(digits)
}

const isoOf = (epochMs: number | null) => (epochMs === null ? '-' : new Date(epochMs).toISOString())

/** Formats rows as lines, each column as wide as its widest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Parses its arguments before a database is opened. */
type Verb = (args: readonly string[]) => (orders: OrdersStore, database: Database) => Promise<string>

const verbs: Readonly<Record<string, Verb>> = {
  stuck(args) {
    if (args.length > 0) throw new UsageError()
    return async (orders) => {
      const rows = await orders.listOverdue(Date.now() - overdueMs, mostShown)
      if (rows.length === 0) return 'no booking needs an operator'
      const lines = rows.map((row) => [
        `OD-${row.order_id}`,
        row.reference,
        row.stopped_at === null ? row.state : 'stopped',
        row.awb ?? '-',
        isoOf(row.stopped_at ?? row.paid_at),
        String(row.creations),
        row.reason ?? '-',
      ])
      const header = ['order', 'reference', 'state', 'airway bill', 'since', 'creations', 'last reason']
      const end = rows.length === mostShown ? `\nthe oldest ${mostShown}; there may be more` : ''
      return table([header, ...lines]) + end
    }
  },

  reissue([order, ...rest]) {
    const id = orderNumber(order)
    if (rest.length > 0) throw new UsageError()
    return async (orders) => {
      const references = await orders.permitCreation(id, Date.now())
      if (references.length === 0)
        throw new Error(`OD-${id} has no stopped booking, so nothing was changed; \`stuck\` lists them`)
      return references
        .map((reference) => `OD-${id}: ${reference} is looked up again and, if still unknown, made once more`)
        .join('\n')
    }
  },

  bags(args) {
    if (args.length > 0) throw new UsageError()
    return async (_orders, database) => {
      const tracking = createTrackingStore(database)
      const silentMs = readToolConfig().TRACKING_SILENCE_HOURS * 60 * 60_000
      const alerts = await tracking.listAlerts(mostShown)
      const silent = await tracking.listSilent(Date.now() - silentMs, mostShown)
      if (alerts.length + silent.length === 0) return 'no bag needs an operator'
      const lines = [
        ...alerts.map(({ order_id, awb, kind, code, place, at }) => [
          `OD-${order_id}`,
          awb ?? '-',
          kind,
          code,
          place ?? '-',
          isoOf(at),
        ]),
        ...silent.map(({ order_id, awb, travel_state, heard_at }) => [
          `OD-${order_id}`,
          awb ?? '-',
          'silent',
          travel_state ?? '-',
          '-',
          isoOf(heard_at),
        ]),
      ]
      const header = ['order', 'airway bill', 'why', 'code or state', 'place', 'since']
      const isLong = alerts.length === mostShown || silent.length === mostShown
      return (
        table([header, ...lines]) + (isLong ? `\nthe oldest ${mostShown} of a kind; there may be more` : '')
      )
    }
  },

  seen([order, ...rest]) {
    const id = orderNumber(order)
    if (rest.length > 0) throw new UsageError()
    return async (_orders, database) => {
      const tracking = createTrackingStore(database)
      const closed = await tracking.closeAlerts(id, Date.now())
      if (closed === 0) throw new Error(`OD-${id} has no open alert; \`bags\` lists them`)
      return `OD-${id}: ${closed} off the list`
    }
  },

  receipts(args) {
    if (args.length > 0) throw new UsageError()
    return async (_orders, database) => {
      const { count, last, skipped, faults, isComplete } = await checkSequence(createReceiptsStore(database))
      if (faults.length > 0)
        // In one line, as every failure of a tool.
        throw new Error(`${faults.length}${isComplete ? '' : ' or more'} faults: ${faults.join('; ')}`)
      const gaps = skipped.map(({ first_number, last_number, recorded_at }) => {
        const numbers = `${first_number} to ${last_number}`
        return `left out by a restore on ${isoOf(recorded_at)}: ${numbers}`
      })
      return [`${count} receipts, the last number is ${last}: none missing, none changed`, ...gaps].join('\n')
    }
  },
}

await runTool(usage, async ([name = '', ...args]) => {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) throw new UsageError()
  const work = verb(args)
  await withSource(readDatabaseLocation(), {}, async ({ database }) => {
    console.log(await work(createOrdersStore(database), database))
  })
})
