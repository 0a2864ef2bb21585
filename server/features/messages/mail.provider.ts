import type { SendOutcome } from './messages.provider.ts'

export interface MailFile {
  readonly name: string
  readonly pdf: Uint8Array
}

/** The HTML shows it at the address `cid:…`. */
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
  /** The form is `<…@…>`. An e-mail that is sent again has the same id, so that mailboxes show it once. */
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
  /** Sends an e-mail. Never throws when the mail server fails. */
  send(mail: OutgoingMail): Promise<MailOutcome>
  /** Connects and signs in as for an e-mail, and sends none. @throws the error of the mail server */
  check(limitMs: number): Promise<MailConnection>
}
