import { useCallback, useEffect, useState } from 'react'
import { useLatest } from '#client/platform/use-latest.ts'
import { nextStep, type OutboxEntry } from './outbox.rules.ts'
import { onOutboxChange, readOutbox, type SendOutcome, sendOutbox } from './outbox.ts'

/** While something waits. */
const sendEveryMs = 30_000

export interface Outbox {
  readonly entries: readonly OutboxEntry[]
  /** Of the last try. */
  readonly outcome: SendOutcome
  /** This browser stores nothing. */
  readonly isBlocked: boolean
  readonly send: () => Promise<void>
}

/**
 * The agent's confirmations. They are sent at the start, when the network returns, when the page is shown again, and
 * every 30 seconds while something waits.
 */
export function useOutbox(agentId: number): Outbox {
  const [entries, setEntries] = useState<readonly OutboxEntry[]>([])
  const [outcome, setOutcome] = useState<SendOutcome>('done')
  const [isBlocked, setIsBlocked] = useState(false)

  useEffect(() => {
    let isMounted = true
    const read = () =>
      readOutbox(agentId).then(
        (known) => isMounted && setEntries(known),
        () => isMounted && setIsBlocked(true),
      )
    void read()
    const stop = onOutboxChange(() => void read())
    return () => {
      isMounted = false
      stop()
    }
  }, [agentId])

  const send = useCallback(async () => {
    setOutcome(await sendOutbox(agentId).catch(() => 'unreachable' as const))
  }, [agentId])

  const hasWaiting = useLatest(entries.some((entry) => nextStep(entry) !== 'rest'))
  useEffect(() => {
    void send()
    const whenShown = () => {
      if (document.visibilityState === 'visible') void send()
    }
    const whenOnline = () => void send()
    const timer = setInterval(() => {
      if (hasWaiting.current) void send()
    }, sendEveryMs)
    window.addEventListener('online', whenOnline)
    document.addEventListener('visibilitychange', whenShown)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', whenOnline)
      document.removeEventListener('visibilitychange', whenShown)
    }
  }, [send, hasWaiting])

  return { entries, outcome, isBlocked, send }
}
