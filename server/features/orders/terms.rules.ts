import { type Config, liabilityOf, type PromiseNames, promisesOf } from '#server/platform/config.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { presentPromises } from '#shared/platform/promises.rules.ts'

export interface PresentTerms {
  readonly version: string
  /** This text is the JSON of `KeptTerms`. */
  readonly body: string
}

type TermsConfig = Pick<Config, 'CANCELLATION'> &
  Partial<Pick<Config, 'LIABILITY_SENTENCE_AR' | 'LIABILITY_SENTENCE_EN' | PromiseNames>>

export function presentTerms(config: TermsConfig, now: number): PresentTerms {
  const { notInTheBag, terms } = brand.purchase
  const shown: KeptTerms = {
    notInTheBag,
    terms,
    cancellation: config.CANCELLATION,
    ...liabilityOf(config),
    promises: presentPromises(promisesOf(config), now),
  }
  const body = JSON.stringify(shown)
  return { version: hashOf(body).slice(0, 16), body }
}
