import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { sendPicture } from '#server/platform/pictures.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/desk/orders/desk-orders.api.ts'
import * as people from '#shared/desk/orders/people.api.ts'
import { deskErrors } from '#shared/desk/staff/staff.errors.ts'
import { handoverPhotoName } from '#shared/orders/handovers.operations.ts'
import { requestNumberChange } from './numbers.ts'
import { exportCsv, listOrdersForStaff } from './order-list.ts'
import { readHandoverPhotoForStaff, readOrderPage, readPeopleOfOrder } from './order-page.ts'
import { admitDevice, endSessionsOfAccount, readAccountPage, unlockAccount } from './people.ts'
import { searchDesk } from './search.ts'

export function deskOrdersRoutes(core: Core, { add }: Routes): void {
  add(operations.searchDesk, ({ principal, body }) => searchDesk(core, principal, body.q))

  add(operations.listDeskOrders, async ({ principal, query, language, reply }) => {
    if (query.format === undefined) return listOrdersForStaff(core, principal, query)
    if (!principal.roles.some((role) => role !== 'support')) throw failure(deskErrors, 'STAFF_ROLE_MISSING')
    const { csv, name, nextCursor } = await exportCsv(core, principal, query, language)
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(csv)
  })

  add(operations.readDeskOrder, async ({ principal, params, language }) => ({
    order: await readOrderPage(core, principal, params.id, language),
  }))

  add(operations.revealDeskOrder, ({ principal, params, body }) =>
    readPeopleOfOrder(core, principal, Number(params.id), body),
  )

  add(operations.readDeskHandoverPhoto, async ({ principal, params, reply }) =>
    sendPicture(
      reply,
      handoverPhotoName(params.awb),
      await readHandoverPhotoForStaff(core, principal, Number(params.id), params.awb),
    ),
  )

  add(people.readDeskPerson, async ({ principal, params }) => ({
    person: await readAccountPage(core, principal, Number(params.userId)),
  }))

  add(people.unlockDeskPerson, async ({ principal, params, form, body }) => {
    await unlockAccount(core, principal, Number(params.userId), form, body.reason)
    return {}
  })

  add(people.askNumber, async ({ principal, params, form, body, reply }) => {
    const answer = await requestNumberChange(core, principal, Number(params.userId), form, body)
    if (answer.approval) reply.code(202)
    return answer
  })

  add(people.openAgent, async ({ principal, params, form, body }) => {
    await admitDevice(core, principal, params.agentId, form, body)
    return {}
  })

  add(people.endPersonSessions, ({ principal, params, form, body }) =>
    endSessionsOfAccount(core, principal, Number(params.userId), form, body.reason),
  )
}
