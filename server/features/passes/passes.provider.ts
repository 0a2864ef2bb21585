import type { LanguageCode } from '#shared/platform/language.ts'

/** A pass contains no name and no phone, because the wallet's company reads it. */
export interface PassContent {
  readonly awb: string
  readonly orderId: number
  readonly city: string | undefined
  readonly place: string | undefined
  readonly language: LanguageCode
}

/** Passes for Apple would be a second implementation (docs/decisions/0013-own-code-kept.md). */
export interface PassProvider {
  /**
   * The returned address contains the whole pass, so nothing is sent to the wallet's company before the user opens it.
   */
  saveLink(content: PassContent): string
}
