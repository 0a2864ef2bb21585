import type { LanguageCode } from '#shared/platform/language.ts'

/** No name and no phone, because the wallet's company reads it. */
export interface PassContent {
  readonly awb: string
  readonly orderId: number
  readonly city: string | undefined
  readonly place: string | undefined
  readonly language: LanguageCode
}

/** Apple's would be a second implementation (docs/decisions/0036-wallet-passes.md). */
export interface PassProvider {
  /** The address contains the whole pass, so nothing is sent to the wallet before. */
  saveLink(content: PassContent): string
}
