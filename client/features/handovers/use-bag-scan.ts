import { useCallback, useEffect, useRef, useState } from 'react'
import { nextStep, type OutboxEntry } from '#client/entities/handover/outbox.rules.ts'
import { keepHandover } from '#client/entities/handover/outbox.ts'
import { useLatest } from '#client/platform/use-latest.ts'
import { checkBag } from './bag-check.queries.ts'
import type { Bag, BagCheck } from './bag-check.rules.ts'

/** `kept`: the agent has confirmed it on this device, and it was not sent yet. */
export type ScanCheck = BagCheck | { readonly kind: 'kept' }

export interface Scan {
  readonly awb: string
  /** Null while the server is asked. */
  readonly check: ScanCheck | null
}

interface BagScanOptions {
  readonly agentId: number
  readonly entries: readonly OutboxEntry[]
  readonly send: () => Promise<void>
  readonly onChecked: (check: ScanCheck) => void
}

/** The bag on screen: looked up when it is scanned, confirmed by the agent. A further scan takes its place. */
export function useBagScan({ agentId, entries, send, onChecked }: BagScanOptions) {
  const [scan, setScan] = useState<Scan | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  /** Names for the list of confirmations. Not stored: a phone at a counter is shared. */
  const [bags, setBags] = useState<ReadonlyMap<string, Bag>>(new Map())
  const latest = useLatest({ entries, onChecked })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(
    async (awb: string, isScanned: boolean) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      setHasFailed(false)
      const isKept = latest.current.entries.some((entry) => entry.awb === awb && waits(entry))
      setScan({ awb, check: null })
      try {
        const check: ScanCheck = isKept
          ? { kind: 'kept' }
          : await checkBag({ agentId, awb, isScanned }, controller.signal)
        if (controller.signal.aborted) return
        if ('bag' in check) setBags((known) => new Map(known).set(awb, check.bag))
        setScan({ awb, check })
        latest.current.onChecked(check)
      } catch (error) {
        if (!controller.signal.aborted) throw error
      }
    },
    [agentId, latest],
  )

  const clear = useCallback(() => {
    running.current?.abort()
    setScan(null)
  }, [])

  const confirm = useCallback(async () => {
    if (scan === null) return
    try {
      await keepHandover(agentId, scan.awb)
    } catch {
      // Nothing was kept, so nothing is confirmed.
      setHasFailed(true)
      return
    }
    clear()
    void send()
  }, [agentId, scan, clear, send])

  return { scan, bags, hasFailed, start, clear, confirm }
}

function waits(entry: OutboxEntry): boolean {
  return nextStep(entry) === 'record' && !entry.isUndone
}
