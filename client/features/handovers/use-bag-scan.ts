import { useEffect, useRef, useState } from 'react'
import type { Photo } from '#client/entities/claim/photo.ts'
import { isToBeRecorded, type Report } from '#client/entities/handover/outbox.rules.ts'
import type { Outbox } from '#client/entities/handover/use-outbox.ts'
import { checkBag } from './bag-check.queries.ts'
import type { BagCheck } from './bag-check.rules.ts'

/** `kept`: the agent has confirmed the bag on this device, and the confirmation was not sent yet. */
export type ScanCheck = BagCheck | { readonly kind: 'kept'; readonly knownAt?: undefined }

export interface Scan {
  readonly awb: string
  /** Null while the server checks the bag. */
  readonly check: ScanCheck | null
}

interface BagScanOptions {
  readonly agentId: number
  readonly outbox: Outbox
  readonly onChecked: (check: ScanCheck) => void
  /** The bag is confirmed on this device, with its picture if there is one. `confirmedAt`: the press, in epoch milliseconds. */
  readonly onReceived: (scan: Scan, photo: Photo | undefined, confirmedAt: number) => void
}

/** The bag on screen. A scan looks it up, and the agent confirms or refuses it. The next scan replaces it. */
export function useBagScan({ agentId, outbox, onChecked, onReceived }: BagScanOptions) {
  const [scan, setScan] = useState<Scan | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const running = useRef<AbortController>(undefined)
  const confirming = useRef<AbortController>(undefined)
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
      // The server stores that a void bag was scanned, but never accepts it.
      if (check.kind === 'void' && check.isCertain) void outbox.confirm(awb, { kind: 'void' })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  function clear(): void {
    running.current?.abort()
    setScan(null)
  }

  /** `takePhoto` is called within the press. A second press on the same bag does nothing. */
  async function confirm(report?: Report, takePhoto?: () => Promise<Photo | undefined>): Promise<void> {
    const controller = running.current
    if (scan === null || confirming.current === controller) return
    confirming.current = controller
    const confirmedAt = Date.now()
    const picture = await takePhoto?.()
    const isKept = await outbox.confirm(scan.awb, report, picture)
    // Another bag was scanned meanwhile: keep the check of that bag.
    if (controller !== running.current) return
    setHasFailed(!isKept)
    if (!isKept) {
      confirming.current = undefined
      return
    }
    clear()
    if (report === undefined) onReceived(scan, picture, confirmedAt)
  }

  return { scan, hasFailed, start, clear, confirm }
}
