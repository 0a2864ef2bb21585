import { useEffect, useRef, useState } from 'react'
import { isToBeRecorded, type Report } from '#client/entities/handover/outbox.rules.ts'
import type { Outbox } from '#client/entities/handover/use-outbox.ts'
import { checkBag } from './bag-check.queries.ts'
import type { BagCheck } from './bag-check.rules.ts'

/** `kept`: the agent has confirmed it on this device, and it was not sent yet. */
export type ScanCheck = BagCheck | { readonly kind: 'kept'; readonly knownAt?: undefined }

export interface Scan {
  readonly awb: string
  /** Null while the server is asked. */
  readonly check: ScanCheck | null
}

interface BagScanOptions {
  readonly agentId: number
  readonly outbox: Outbox
  readonly onChecked: (check: ScanCheck) => void
}

/** The bag on screen: looked up when it is scanned, confirmed or refused by the agent. A further scan takes its place. */
export function useBagScan({ agentId, outbox, onChecked }: BagScanOptions) {
  const [scan, setScan] = useState<Scan | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(awb: string, isScanned: boolean): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setHasFailed(false)
    setScan({ awb, check: null })
    try {
      const isKept = outbox.entries.some((entry) => entry.awb === awb && isToBeRecorded(entry))
      const check = isKept ? ({ kind: 'kept' } as const) : await checkBag({ agentId, awb, isScanned }, signal)
      if (signal.aborted) return
      setScan({ awb, check })
      onChecked(check)
      // The server keeps that it was scanned; it never takes a void bag.
      if (check.kind === 'void' && check.isCertain) void outbox.confirm(awb, { kind: 'void' })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  function clear(): void {
    running.current?.abort()
    setScan(null)
  }

  async function confirm(report?: Report): Promise<void> {
    if (scan === null) return
    const controller = running.current
    const isKept = await outbox.confirm(scan.awb, report)
    // Another bag was scanned meanwhile: its check goes on.
    if (controller !== running.current) return
    setHasFailed(!isKept)
    if (isKept) clear()
  }

  return { scan, hasFailed, start, clear, confirm }
}
