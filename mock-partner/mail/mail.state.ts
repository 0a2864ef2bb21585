import type { Clock } from '../platform/clock.ts'

export interface MailRecord {
  id: number
  /** The program that sent it: our SMTP client, or the OTP service with a code. */
  by: 'smtp' | 'otp'
  from: string
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  attachments: { name: string; type: string; base64: string }[]
  /** The HTML shows them by `cid:`. */
  pictures: { cid: string; base64: string }[]
  /** Epoch milliseconds on the simulator's clock. */
  sentAt: number
}

interface StoredMails {
  mails: MailRecord[]
  lastId: number
}

const mostMails = 1_000

/** The mailbox of every address. */
export function createMailState({ clock }: { clock: Clock }) {
  let mails: MailRecord[] = []
  let lastId = 0
  return {
    deliver(mail: Omit<MailRecord, 'id' | 'sentAt'>): void {
      lastId += 1
      mails = [{ ...mail, id: lastId, sentAt: clock.now() }, ...mails.slice(0, mostMails - 1)]
    },
    /** Newest first. */
    list: (to?: string): readonly MailRecord[] =>
      to === undefined ? mails : mails.filter((mail) => mail.to === to.toLowerCase()),
    reset(): void {
      mails = []
    },
    snapshot: (): StoredMails => ({ mails, lastId }),
    restore(stored: StoredMails): void {
      mails = stored.mails
      lastId = stored.lastId
    },
  }
}
export type MailState = ReturnType<typeof createMailState>
