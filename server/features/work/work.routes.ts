import type { FastifyInstance, FastifyRequest } from 'fastify'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { registerStream } from '#server/platform/register-stream.ts'
import type { SessionScope, Staff } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import type { Streams } from '#server/platform/streams.ts'
import * as operations from '#shared/work/work.operations.ts'
import type { WorkService } from './work.service.ts'

const rowOf = <K extends string>({ kind, id }: { readonly kind: K; readonly id: string }) => ({
  kind,
  reference: id,
})
const readerOf = (person: Staff, request: FastifyRequest) => ({ person, language: languageOf(request) })

export function workRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { work, streams }: { readonly work: WorkService; readonly streams: Pick<Streams, 'open'> },
): void {
  registerOperation(app, scope, operations.readWork, ({ principal, query, request }) =>
    work.readOverview(readerOf(principal, request), {
      ...(query.order !== undefined && { order: Number(query.order) }),
    }),
  )

  registerOperation(app, scope, operations.listWork, async ({ params, query, principal, request }) => ({
    rows: await work.list(params.kind, readerOf(principal, request), query),
  }))

  registerOperation(app, scope, operations.takeWork, async ({ params, body, principal, request }) => {
    await work.take(principal, rowOf(params), body ?? {})
    return { row: await work.readRow(rowOf(params), readerOf(principal, request)) }
  })

  registerOperation(app, scope, operations.releaseWork, async ({ params, principal }) => {
    await work.release(principal, rowOf(params))
    return {}
  })

  registerOperation(app, scope, operations.handWork, async (call) => {
    const { params, body, principal, request } = call
    await work.hand(principal, rowOf(params), staffRequestOf(operations.handWork, call), body)
    return { row: await work.readRow(rowOf(params), readerOf(principal, request)) }
  })

  registerOperation(app, scope, operations.endWork, async (call) => {
    const { params, body, principal } = call
    await work.endRow(principal, rowOf(params), staffRequestOf(operations.endWork, call), body.reason)
    return {}
  })

  registerStream(app, scope, streams, operations.readDeskEvents, async ({ query }) => ({
    topic: 'desk',
    about: Number(query.order ?? 0),
  }))
}
