import { type Config, liabilityOf } from '#server/platform/config.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { ShownTerms } from '#shared/orders/terms.schemas.ts'
import { brand } from '#shared/platform/brand.ts'

/** What a new order is made on. */
export interface PresentTerms {
  readonly version: string
  /** JSON of `ShownTerms`. */
  readonly body: string
}

/** The terms that are shown before paying: of the brand and the configuration. */
export function presentTerms(
  config: Pick<Config, 'CANCELLATION' | 'LIABILITY_SENTENCE_AR' | 'LIABILITY_SENTENCE_EN'>,
): PresentTerms {
  const { notInTheBag, terms } = brand.purchase
  const shown: ShownTerms = {
    notInTheBag,
    terms,
    cancellation: config.CANCELLATION,
    ...liabilityOf(config),
  }
  const body = JSON.stringify(shown)
  return { version: hashOf(body).slice(0, 16), body }
}
