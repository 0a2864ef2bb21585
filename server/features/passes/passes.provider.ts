import type { LanguageCode } from '#shared/platform/language.ts'

/** A bag as its pass shows it. It has no name and no phone: the company behind the wallet reads it. */
export interface PassContent {
  readonly awb: string
  readonly orderId: number
  /** English name. */
  readonly city: string | undefined
  /** The branch where the bag is collected, in the language of the pass. */
  readonly place: string | undefined
  readonly language: LanguageCode
}

/** A wallet of phones. Apple's would be a second implementation (docs/decisions/0036-wallet-passes.md). */
export interface PassProvider {
  /** The address under which a browser saves the pass. It holds the pass itself: nothing is sent to the wallet before. */
  saveLink(content: PassContent): string
}
