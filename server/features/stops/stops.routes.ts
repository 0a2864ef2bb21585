import type { FastifyInstance } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { registerOperation } from '#server/platform/register-operation.ts'
import type { SessionScope } from '#server/platform/session-scope.ts'
import { staffRequestOf } from '#server/platform/staff-request.ts'
import { readStops, replaceStops } from '#shared/stops/stops.operations.ts'
import type { StopsService } from './stops.service.ts'

export function stopsRoutes(
  app: FastifyInstance,
  scope: SessionScope,
  { stops, clock }: { readonly stops: StopsService; readonly clock: Clock },
): void {
  registerOperation(app, scope, readStops, () => stops.list())

  registerOperation(app, scope, replaceStops, (call) =>
    stops.replace(call.principal, staffRequestOf(replaceStops, call), call.body, clock.now()),
  )
}
