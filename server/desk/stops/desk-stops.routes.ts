import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import * as operations from '#shared/desk/stops/stops.api.ts'
import { listStops, replaceStops } from './desk-stops.ts'

export function deskStopsRoutes(core: Core, { add }: Routes): void {
  add(operations.readStops, () => listStops(core))

  add(operations.replaceStops, ({ principal, form, body }) => replaceStops(core, principal, form, body))
}
