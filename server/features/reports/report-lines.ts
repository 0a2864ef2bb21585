export interface ReportLines {
  startedAt: number
  count: number
  /** Counts only written lines, so the map stays small. */
  readonly byAddress: Map<string, number>
}

export const emptyReportLines = (): ReportLines => ({
  startedAt: Number.NEGATIVE_INFINITY,
  count: 0,
  byAddress: new Map(),
})
