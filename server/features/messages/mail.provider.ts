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
  /** `<…@…>`: the same for a letter that is sent again, so that mailboxes show it once. */
  readonly messageId: string
}

/** The answer of the mail server. It does not report whether the letter was delivered. */
export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | Exclude<SendOutcome, { readonly outcome: 'accepted' }>

/** The mail server. */
export interface MailProvider {
  /** Sends once. Never throws for what the server does. */
  send(mail: OutgoingMail): Promise<MailOutcome>
}
