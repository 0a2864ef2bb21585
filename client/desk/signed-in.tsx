import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { Controls } from './controls.tsx'
import type { Outcome } from './outcome.ts'
import { DeskRoutes } from './routes.tsx'
import { Shell } from './shell.tsx'

interface SignedInProps {
  staff: StaffSession
  outcome: Outcome | undefined
}

/** The desk of a signed-in operator. */
export const SignedIn = ({ staff, outcome }: SignedInProps) => (
  <Controls>
    <Shell staff={staff} outcome={outcome}>
      <DeskRoutes staff={staff} />
    </Shell>
  </Controls>
)
