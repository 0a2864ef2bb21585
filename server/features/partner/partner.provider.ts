import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

export interface ReadList<T> {
  readonly rows: readonly T[]
  readonly dropped: Readonly<Record<string, number>>
}

export interface PartnerProvider {
  /** Unusable rows are dropped and counted. @throws UnreachableError, OutcomeUnknownError, PartnerAnswerError */
  fetchCenters(): Promise<ReadList<Center>>
  fetchAgents(): Promise<ReadList<PartnerAgent>>
}

export class PartnerAnswerError extends Error {
  constructor(what: string, status: number) {
    super(`the partner answered ${status} to ${what}`)
    this.name = 'PartnerAnswerError'
  }
}
