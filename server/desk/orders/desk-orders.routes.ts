import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { languageOf } from '#server/platform/language.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk/orders/desk-orders.api.ts'
import * as people from '#shared/desk/orders/people.api.ts'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import { requestNumberChange } from './numbers.ts'
import { exportCsv, listOrdersForStaff } from './order-list.ts'
import { readOrderPage, readPeopleOfOrder } from './order-page.ts'
import { admitDevice, endSessionsOfAccount, readAccountPage, unlockAccount } from './people.ts'
import { searchDesk } from './search.ts'

export function deskOrdersRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, operations.searchDesk, ({ principal, body }) =>
    searchDesk(core, principal, body.q),
  )

  registerOperation(app, scope, operations.listDeskOrders, async ({ principal, query, request, reply }) => {
    if (query.format === undefined) return listOrdersForStaff(core, principal, query)
    if (!principal.roles.some((role) => role !== 'support')) throw failure(deskErrors, 'STAFF_ROLE_MISSING')
    const { csv, name, nextCursor } = await exportCsv(core, principal, query, languageOf(request))
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(csv)
  })

  registerOperation(app, scope, operations.readDeskOrder, async ({ principal, params, request }) => ({
    order: await readOrderPage(core, principal, params.id, languageOf(request)),
  }))

  registerOperation(app, scope, operations.revealDeskOrder, ({ principal, params, body }) =>
    readPeopleOfOrder(core, principal, Number(params.id), body),
  )

  registerOperation(app, scope, people.readDeskPerson, async ({ principal, params }) => ({
    person: await readAccountPage(core, principal, Number(params.userId)),
  }))

  registerOperation(app, scope, people.unlockDeskPerson, async (call) => {
    const { principal, params, body } = call
    const request = staffRequestOf(people.unlockDeskPerson, call)
    await unlockAccount(core, principal, Number(params.userId), request, body.reason)
    return {}
  })

  registerOperation(app, scope, people.askNumber, async (call) => {
    const { principal, params, body, reply } = call
    const request = staffRequestOf(people.askNumber, call)
    const answer = await requestNumberChange(core, principal, Number(params.userId), request, body)
    if (answer.approval) reply.code(202)
    return answer
  })

  registerOperation(app, scope, people.openAgent, async (call) => {
    const { principal, params, body } = call
    await admitDevice(core, principal, params.agentId, staffRequestOf(people.openAgent, call), body)
    return {}
  })

  registerOperation(app, scope, people.endPersonSessions, (call) => {
    const { principal, params, body } = call
    const request = staffRequestOf(people.endPersonSessions, call)
    return endSessionsOfAccount(core, principal, Number(params.userId), request, body.reason)
  })
}
