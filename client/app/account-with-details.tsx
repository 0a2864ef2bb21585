import { AccountPage, type AccountPageProps } from '#client/features/account/account.page.tsx'
import { OwnDetails } from '#client/features/sessions/own-details.tsx'

/** The account page with the sessions feature's details; a chunk of its own. Features do not import each other. */
export function AccountWithDetails(props: Omit<AccountPageProps, 'details'>) {
  return <AccountPage {...props} details={<OwnDetails />} />
}
