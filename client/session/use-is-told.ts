import { useQuery } from '@tanstack/react-query'
import { ownAccountQuery } from './own-account.query.ts'

/** Whether the user gets messages about bags by SMS: pages promise a message only then. */
export function useIsTold(): boolean {
  const account = useQuery(ownAccountQuery).data
  return account?.success === true && account.messages === true
}
