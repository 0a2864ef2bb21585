import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

/** A list, and how many of its rows could not be used, by reason. */
export interface ReadList<T> {
  readonly rows: readonly T[]
  readonly dropped: Readonly<Record<string, number>>
}

/** The two lists of the shipping partner. */
export interface PartnerProvider {
  /**
   * Branches in the Kingdom. Bad rows are left out and counted.
   * @throws UnreachableError, OutcomeUnknownError, PartnerAnswerError.
   */
  fetchCenters(): Promise<ReadList<Center>>
  /** Collecting agents. @throws as `fetchCenters`. */
  fetchAgents(): Promise<ReadList<PartnerAgent>>
}

/** The partner's response is not a list. */
export class PartnerAnswerError extends Error {
  constructor(what: string, status: number) {
    super(`the partner answered ${status} to ${what}`)
    this.name = 'PartnerAnswerError'
  }
}
