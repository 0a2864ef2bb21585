import { useQuery } from '@tanstack/react-query'
import { ownAccountQuery } from './own-account.query.ts'

/** Whether the user gets messages about bags by SMS: a message is promised to nobody else. */
export function useIsTold(): boolean {
  const account = useQuery(ownAccountQuery).data
  return account?.success === true && account.messages === true
}
