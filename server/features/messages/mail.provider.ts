import type { SendOutcome } from './messages.provider.ts'

export interface MailFile {
  readonly name: string
  readonly pdf: Uint8Array
}

export interface MailPicture {
  readonly cid: string
  readonly name: string
  readonly png: Uint8Array
}

export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly pictures: readonly MailPicture[]
  readonly files: readonly MailFile[]
  /** The form is `<…@…>`. Mailboxes show e-mails with the same id once. */
  readonly messageId: string
}

export type MailOutcome =
  | { readonly outcome: 'accepted' }
  | Exclude<SendOutcome, { readonly outcome: 'accepted' }>

export interface MailConnection {
  readonly isEncrypted: boolean
  readonly isSignedIn: boolean
}

export interface MailProvider {
  /** A failure of the mail server throws no error. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Checks the mail server without sending an e-mail. @throws the error of the mail server */
  check(limitMs: number): Promise<MailConnection>
}
