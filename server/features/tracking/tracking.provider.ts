export interface Scan {
  /** A code is short, such as `DL`, or an older text, such as `OUT FOR DELIVERY` (docs/wires/tracking.md T20). */
  readonly code: string
  /** Epoch milliseconds; undefined for a date that does not exist, such as 30 February. */
  readonly at: number | undefined
  /** The courier's time, zone, code and city together identify a scan, so they are not changed. */
  readonly time: string
  readonly zone: string
  readonly city: string | undefined
  readonly text: string | undefined
}

export interface TrackedShipment {
  readonly awb: string
  readonly reference: string | undefined
  readonly scans: readonly Scan[]
}

export interface TrackingReport {
  readonly shipments: readonly TrackedShipment[]
  readonly unreadable: number
}

export interface CodeText {
  readonly code: string
  readonly ar: string | undefined
  readonly en: string | undefined
}

export interface TrackingProvider {
  readPush(body: unknown): TrackingReport | undefined
  /**
   * @param awbs at most `mostPerBulk`; some can be missing in the report
   * @throws UnreachableError, OutcomeUnknownError, TrackingRefusal
   */
  track(awbs: readonly string[]): Promise<TrackingReport>
  readTexts(): Promise<readonly CodeText[]>
}

export class TrackingRefusal extends Error {
  readonly status: number
  constructor(what: string, status: number) {
    super(`the courier answered ${status} to ${what}`)
    this.name = 'TrackingRefusal'
    this.status = status
  }
}
