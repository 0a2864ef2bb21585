import type { Core } from '#server/core.ts'
import { staffActor } from '#server/features/history/acts.ts'
import type { Origin } from '#server/features/operators/operators.ts'
import { failure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'

export const originOf = ({ clock }: Core, staff: Staff, reason: string | null): Origin => ({
  by: staffActor(staff),
  at: clock.now(),
  reason,
})

/** @throws Failure REAUTHENTICATION_REQUIRED */
export function assertRecent({ clock }: Core, staff: Staff): void {
  if (!isRecentSignIn(staff, clock.now())) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
}
