import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Photo } from '#client/entities/claim/photo.ts'
import { useNetworkReturn } from '#client/platform/connection.ts'
import { useRefocus } from '#client/platform/use-refocus.ts'
import { isPhotoDue, nextStep, type OutboxEntry, previewLeftMs, type Report } from './outbox.rules.ts'
import {
  keepHandover,
  onOutboxChange,
  readOutbox,
  type SendOutcome,
  sendOutbox,
  undoHandoverLater,
} from './outbox.ts'

/** While something waits. */
const sendEveryMs = 30_000

export interface Outbox {
  readonly entries: readonly OutboxEntry[]
  /** The outcome of the last try to send. */
  readonly outcome: SendOutcome
  /** True when this browser stores nothing. */
  readonly isBlocked: boolean
  readonly send: () => Promise<void>
  /** Stores a confirmation, or another report of a bag, and sends it. @returns false when it could not be stored: nothing is confirmed then. */
  readonly confirm: (awb: string, report?: Report, photo?: Photo) => Promise<boolean>
  readonly undo: (id: string) => Promise<void>
}

/** Reads again for the first component that uses it; later components share that reading. */
const once = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
} as const

/**
 * The agent's confirmations. While any component uses them, they are sent at the start, when the network returns, when the
 * page is shown again, and every 30 seconds while something waits.
 */
export function useOutbox(agentId: number): Outbox {
  const client = useQueryClient()
  const stored = useQuery({
    ...once,
    queryKey: ['outbox', agentId],
    queryFn: () => readOutbox(agentId),
    // Reading deletes what is over.
    refetchInterval: ({ state }) => {
      const left = previewLeftMs(state.data ?? [], Date.now())
      return left !== undefined && Math.max(1_000, left)
    },
    refetchIntervalInBackground: true,
  })
  const entries = stored.data ?? []
  const sent = useQuery({
    ...once,
    queryKey: ['outbox', agentId, 'sent'],
    queryFn: ({ signal }) => sendOutbox(agentId, signal).catch(() => 'unreachable' as const),
    refetchInterval: entries.some((entry) => nextStep(entry) !== 'rest' || isPhotoDue(entry)) && sendEveryMs,
    refetchIntervalInBackground: true,
  })
  useEffect(() => {
    const reading = { queryKey: ['outbox', agentId], exact: true }
    return onOutboxChange(async () => {
      // An invalidation joins the first reading, which may have missed the change.
      await client.cancelQueries(reading)
      await client.invalidateQueries(reading)
    })
  }, [client, agentId])

  /** Sends again, also while a try hangs: a refetch alone joins that try. A request that has been sent is not aborted. */
  async function send(): Promise<void> {
    await client.cancelQueries({ queryKey: ['outbox', agentId, 'sent'], exact: true })
    await sent.refetch()
  }
  useNetworkReturn(() => void send())
  useRefocus(send)

  return {
    entries,
    outcome: sent.data ?? 'done',
    isBlocked: stored.isError,
    send,
    async confirm(awb, report, photo) {
      try {
        await keepHandover(agentId, awb, report, photo)
      } catch {
        return false
      }
      void send()
      return true
    },
    async undo(id) {
      await undoHandoverLater(id)
      await send()
    },
  }
}
