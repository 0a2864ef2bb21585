import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { JournalEntry } from '../platform/journal.entry.ts'
import type { Journal, JournalFilter } from '../platform/journal.ts'
import { readOrderNumber } from '../platform/references.ts'
import { ControlError, faultyServices, limitOf, parse, withPlus } from './control.schemas.ts'

/** Proxies and browsers end a silent connection after about a minute. */
const keepAliveMs = 20_000
/** A reader that is further behind is disconnected; it comes back with the last id that it has. */
const mostUnsentBytes = 8 * 1_048_576

const JournalQuery = Type.Object(
  {
    order: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    ref: Type.Optional(Type.String({ maxLength: 200 })),
    service: Type.Optional(Type.Enum([...faultyServices])),
    since: Type.Optional(Type.String()),
    limit: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

/** An entry's id, or an ISO time. @throws ControlError */
function readSince(text: string): Pick<JournalFilter, 'since' | 'afterId'> {
  if (/^\d{1,15}$/.test(text)) return { afterId: Number(text) }
  const since = Date.parse(text.replace(' ', '+'))
  if (Number.isNaN(since))
    throw new ControlError(400, 'INVALID_REQUEST', 'since must be an ISO time or the id of an entry')
  return { since }
}

/** @throws ControlError */
function readFilter(query: unknown): JournalFilter {
  const { order, phone, ref, service, since } = parse(JournalQuery, query)
  const number = order === undefined ? undefined : readOrderNumber(order)
  if (order !== undefined && number === undefined)
    throw new ControlError(400, 'INVALID_REQUEST', 'order must be a number such as 42 or OD-42')
  return {
    order: number,
    phone: phone === undefined ? undefined : withPlus(phone),
    ref: ref === undefined ? undefined : String(readOrderNumber(ref) ?? withPlus(ref)),
    service,
    ...(since === undefined ? {} : readSince(since)),
  }
}

/** Requests got and sent: as a list, and live. */
export function registerJournalRoutes(app: FastifyInstance, journal: Journal): void {
  app.get('/journal', async (request) => ({
    entries: journal.list(readFilter(request.query), limitOf(request.query)),
  }))
  registerEvents(app, journal)
}

const eventOf = (entry: JournalEntry): string =>
  `id: ${entry.id}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`

function registerEvents(app: FastifyInstance, journal: Journal): void {
  const open = new Set<() => void>()
  // Before the server waits for its connections to end.
  app.addHook('preClose', async () => {
    for (const end of [...open]) end()
  })

  function stream(request: FastifyRequest, reply: FastifyReply, filter: JournalFilter): void {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    raw.write(': open\n\n')

    const unsubscribe = journal.subscribe(filter, (news) => {
      raw.write(news === 'reset' ? 'event: reset\ndata: {}\n\n' : eventOf(news))
      if (raw.writableLength > mostUnsentBytes) raw.destroy()
    })
    const keepAlive = setInterval(() => raw.write(': keep-alive\n\n'), keepAliveMs)
    keepAlive.unref()
    const end = (): void => {
      raw.end()
    }
    open.add(end)
    raw.once('close', () => {
      clearInterval(keepAlive)
      unsubscribe()
      open.delete(end)
    })

    // Without an id only what comes from now on; after one, what the reader has missed.
    const { 'last-event-id': lastId } = request.headers
    if (typeof lastId === 'string' && /^\d{1,15}$/.test(lastId)) {
      const missed = journal.list({ ...filter, afterId: Number(lastId) }, Number.POSITIVE_INFINITY)
      for (const entry of missed.reverse()) raw.write(eventOf(entry))
    }
  }

  app.get('/events', async (request, reply) => {
    stream(request, reply, readFilter(request.query))
  })
}
