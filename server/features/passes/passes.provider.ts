import type { LanguageCode } from '#shared/platform/language.ts'

/** The wallet's company reads a pass, so it must not contain a name or a phone number. */
export interface PassContent {
  readonly awb: string
  readonly orderId: number
  readonly city: string | undefined
  readonly place: string | undefined
  readonly language: LanguageCode
}

export interface PassProvider {
  /** The link contains the whole pass: nothing is sent before the user opens it. */
  saveLink(content: PassContent): string
}
