import type { FastifyInstance } from 'fastify'
import type { Core } from '#server/core.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import * as operations from '#shared/desk/stops/stops.api.ts'
import { listStops, replaceStops } from './desk-stops.ts'

export function deskStopsRoutes(core: Core, app: FastifyInstance, scope: SessionScope): void {
  registerOperation(app, scope, operations.readStops, () => listStops(core))

  registerOperation(app, scope, operations.replaceStops, (call) =>
    replaceStops(core, call.principal, staffRequestOf(operations.replaceStops, call), call.body),
  )
}
