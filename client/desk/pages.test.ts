import { expect, it } from 'vitest'
import { listApprovals } from '#shared/desk/actions/actions.api.ts'
import { listAudit, listWorkers } from '#shared/desk/audit/audit.api.ts'
import { readStops } from '#shared/desk/stops/stops.api.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { type DeskPath, deskPages } from './pages.ts'

it.each<[DeskPath, OperationShape]>([
  ['/approvals', listApprovals],
  ['/stops', readStops],
  ['/audit', listAudit],
  ['/workers', listWorkers],
])('%s opens for the roles to which the gateway sends its list', (path, { roles }) => {
  expect(deskPages.find((page) => page.path === path)?.roles).toEqual(roles)
})
