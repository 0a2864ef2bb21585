import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Core } from '#server/core.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import { registerStream } from '#server/platform/register-stream.ts'
import type { SessionScope, Staff } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk/work/work.api.ts'
import { endRow, handRow, releaseOwnRow, takeRow } from './work.ts'
import { listWork, readOverview, readWorkRow } from './work-lists.ts'

const rowOf = <K extends string>({ kind, id }: { readonly kind: K; readonly id: string }) => ({
  kind,
  reference: id,
})
const readerOf = (person: Staff, request: FastifyRequest) => ({ person, language: languageOf(request) })

export function workRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, operations.readWork, ({ principal, query, request }) =>
    readOverview(core, readerOf(principal, request), {
      ...(query.order !== undefined && { order: Number(query.order) }),
    }),
  )

  registerOperation(app, scope, operations.listWork, async ({ params, query, principal, request }) => ({
    rows: await listWork(core, params.kind, readerOf(principal, request), query),
  }))

  registerOperation(app, scope, operations.takeWork, async ({ params, body, principal, request }) => {
    await takeRow(core, principal, rowOf(params), body ?? {})
    return { row: await readWorkRow(core, rowOf(params), readerOf(principal, request)) }
  })

  registerOperation(app, scope, operations.releaseWork, async ({ params, principal }) => {
    await releaseOwnRow(core, principal, rowOf(params))
    return {}
  })

  registerOperation(app, scope, operations.handWork, async (call) => {
    const { params, body, principal, request } = call
    await handRow(core, principal, rowOf(params), staffRequestOf(operations.handWork, call), body)
    return { row: await readWorkRow(core, rowOf(params), readerOf(principal, request)) }
  })

  registerOperation(app, scope, operations.endWork, async (call) => {
    const { params, body, principal } = call
    await endRow(core, principal, rowOf(params), staffRequestOf(operations.endWork, call), body.reason)
    return {}
  })

  registerStream(app, scope, core.streams, operations.readDeskEvents, async ({ query }) => ({
    topic: 'desk',
    about: Number(query.order ?? 0),
  }))
}
