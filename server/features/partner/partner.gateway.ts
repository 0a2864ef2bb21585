import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

/** The shipping partner's two lists, as this product shows them. */
export interface PartnerGateway {
  /** Branches in the Kingdom. @throws Unreachable or PartnerAnswerError; never a part of the list. */
  fetchCenters(): Promise<Center[]>
  /** Collecting agents. @throws as `fetchCenters`. */
  fetchAgents(): Promise<PartnerAgent[]>
}

/** The partner answered, but not with what was asked for. */
export class PartnerAnswerError extends Error {
  constructor(what: string, status: number) {
    super(`the partner answered ${status} to ${what}`)
    this.name = 'PartnerAnswerError'
  }
}
