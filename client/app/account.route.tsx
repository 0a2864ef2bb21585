import { AccountPage } from '#client/features/account/account.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'
import { OwnEmail } from '#client/features/sessions/own-email.tsx'
import { useSession } from '#client/session/session.ts'
import { useLeave } from './leave.ts'

/** The account page with the sessions feature's details. */
export function AccountRoute() {
  const { user } = useSession()
  const leave = useLeave()
  return (
    <AccountPage
      isAgent={user === null}
      details={<OwnDetails />}
      email={(isOver) => <OwnEmail kind="row" isOver={isOver} />}
      onEnded={() => void leave()}
    />
  )
}
