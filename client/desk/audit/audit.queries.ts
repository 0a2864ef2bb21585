import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import type { AuditFilter } from '#shared/desk/audit/audit.api.ts'
import { listAudit } from '#shared/desk/audit/audit.operations.ts'

/** The old rows stay on screen until the new ones arrive. */
export function useAudit(query: AuditFilter) {
  return useQuery({
    queryKey: [...operationKey(listAudit), query],
    queryFn: ({ signal }) => call(listAudit, { query, signal }),
    placeholderData: keepPreviousData,
  })
}
