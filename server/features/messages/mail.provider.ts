import type { SendOutcome } from './messages.provider.ts'

export interface MailFile {
  readonly name: string
  readonly pdf: Uint8Array
}

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly files: readonly MailFile[]
  /** `<…@…>`, the same for a letter that is sent again, so that mailboxes show it once. */
  readonly messageId: string
}

export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | Exclude<SendOutcome, { readonly outcome: 'accepted' }>

export interface MailProvider {
  /** Never throws for a fault of the server. */
  send(mail: OutgoingMail): Promise<MailOutcome>
}
