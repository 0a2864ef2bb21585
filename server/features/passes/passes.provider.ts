import type { LanguageCode } from '#shared/platform/language.ts'

/** The content of a bag's pass. It has no name and no phone, because the wallet's company reads it. */
export interface PassContent {
  readonly awb: string
  readonly orderId: number
  readonly city: string | undefined
  readonly place: string | undefined
  readonly language: LanguageCode
}

/** A wallet of phones. Apple's would be a second implementation (docs/decisions/0036-wallet-passes.md). */
export interface PassProvider {
  /**
   * The address under which a browser saves the pass. It contains the whole pass, so nothing is sent to the
   * wallet before.
   */
  saveLink(content: PassContent): string
}
