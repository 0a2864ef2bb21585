import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import { readFailure } from './mail.provider.map.ts'
import type { MailProvider } from './mail.provider.ts'

interface MailAccount {
  /** `smtps://user:password@host:465`, or `smtp://`. */
  readonly url: string
  readonly from: string
  /** Beside the address of the sender. */
  readonly name: string
  /** False for a server on this machine. */
  readonly demandsTls: boolean
}

/** Shorter than the lease of a message in all. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** SMTP (docs/wires/mail.md). A connection for each letter: they are few, and a kept one would be found dead. */
export function createMailProvider({ url, from, name, demandsTls }: MailAccount): MailProvider {
  const transport = createTransport({ url, requireTLS: demandsTls, disableFileAccess: true, ...timeouts })
  return {
    async send({ to, subject, text, html, files, messageId }) {
      const attachments = files.map(({ name: filename, pdf }) => ({
        filename,
        content: Buffer.from(pdf),
        contentType: 'application/pdf',
      }))
      const letter = { from: { name, address: from }, to, subject, text, html, attachments, messageId }
      // Nobody reads what an automatic answer says (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated' }
      const bytes = await new MailComposer({ ...letter, headers, disableFileAccess: true }).compile().build()
      let hasBegun = false
      const raw = Readable.from(
        (function* () {
          hasBegun = true
          yield bytes
        })(),
      )
      try {
        await transport.sendMail({ envelope: { from, to: [to] }, raw })
        return { outcome: 'accepted' }
      } catch (error) {
        const outcome = readFailure(error as object, hasBegun)
        return outcome.outcome === 'unavailable' ? { ...outcome, cause: error } : outcome
      }
    },
  }
}
