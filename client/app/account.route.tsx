import { AccountPage } from '#client/features/account/account.page.tsx'
import { ConfirmDialog } from '#client/features/sessions/confirm-dialog.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'
import { OwnEmail } from '#client/features/sessions/own-email.tsx'
import { useConfirmation } from '#client/features/sessions/use-confirmation.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useSession } from '#client/session/session.ts'
import { KeptLink } from './kept-links.tsx'
import { useLeave } from './leave.ts'

/** The account page with the sessions feature's details. */
export function AccountRoute() {
  const { user } = useSession()
  const isOffline = useConnection() === 'offline'
  const leave = useLeave()
  const confirmation = useConfirmation()
  return (
    <>
      <AccountPage
        isAgent={user === null}
        details={<OwnDetails />}
        email={(isOver) => <OwnEmail kind="row" isOver={isOver} />}
        confirming={confirmation.confirming}
        onEnded={leave}
      />
      {isOffline ? <KeptLink /> : null}
      <ConfirmDialog confirmation={confirmation} />
    </>
  )
}
