export interface ReportLines {
  startedAt: number
  count: number
  readonly byAddress: Map<string, number>
}

export const emptyReportLines = (): ReportLines => ({
  startedAt: Number.NEGATIVE_INFINITY,
  count: 0,
  byAddress: new Map(),
})
