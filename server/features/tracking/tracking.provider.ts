/** A scan of the courier as it was read. Names of persons are never part of it. */
export interface Scan {
  /** As written, trimmed: `DL`, or an older text in its place. */
  readonly code: string
  /** When, in epoch milliseconds; undefined for a date that does not exist, such as 30 February. */
  readonly at: number | undefined
  /** Date and zone as written: with code and city the identity of the scan. */
  readonly time: string
  readonly zone: string
  /** English, as the courier writes it. */
  readonly city: string | undefined
  /** The courier's own words. */
  readonly text: string | undefined
}

/** The courier's report of one shipment. */
export interface TrackedShipment {
  readonly awb: string
  /** Our reference of the booking, where the courier repeats it. */
  readonly reference: string | undefined
  readonly scans: readonly Scan[]
}

/** A report of the courier, pushed or asked for. */
export interface TrackingReport {
  readonly shipments: readonly TrackedShipment[]
  /** Rows and scans that could not be read. */
  readonly unreadable: number
}

/** The courier's words for a code. */
export interface CodeText {
  readonly code: string
  readonly ar: string | undefined
  readonly en: string | undefined
}

/** The courier, as tracking needs it. */
export interface TrackingProvider {
  /** The content of a push; undefined when it is no report at all. */
  readPush(body: unknown): TrackingReport | undefined
  /**
   * At most `mostPerCall` airway bills in one call; numbers may be missing from the report.
   * @throws UnreachableError, OutcomeUnknownError, TrackingRefusal.
   */
  track(awbs: readonly string[]): Promise<TrackingReport>
  /**
   * The courier's texts of all codes.
   * @throws UnreachableError, OutcomeUnknownError, TrackingRefusal.
   */
  readTexts(): Promise<readonly CodeText[]>
}

/** The courier answered something that is no report. */
export class TrackingRefusal extends Error {
  readonly status: number
  constructor(what: string, status: number) {
    super(`the courier answered ${status} to ${what}`)
    this.name = 'TrackingRefusal'
    this.status = status
  }
}
