import type { Core } from '#server/core.ts'
import { legacyCall } from '#server/legacy.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import type { AuditService } from './audit.service.ts'

export const exportActions = legacyCall<AuditService, 'exportActions'>('audit', 'exportActions')
export const findWait = legacyCall<AuditService, 'findWait'>('audit', 'findWait')
export const recordViewOnce = legacyCall<AuditService, 'recordOnce'>('audit', 'recordOnce')
export const recordView = legacyCall<AuditService, 'recordView'>('audit', 'recordView')
export const recordViewWithin = legacyCall<AuditService, 'recordWithin'>('audit', 'recordWithin')
export const disclose = legacyCall<AuditService, 'reveal'>('audit', 'reveal')

/** As `once` of the audit. */
export const actOnce = <T extends object>(
  core: Core,
  staff: Pick<Staff, 'issuer' | 'subject'>,
  request: StaffRequest,
  work: { readonly before?: () => Promise<void>; readonly perform: () => Promise<T> },
): Promise<T> => (core.legacy.audit as AuditService).once<T>(staff, request, work)
