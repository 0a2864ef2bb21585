import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SmtpConnection from 'nodemailer/lib/smtp-connection'
import { readFailure } from './mail.provider.map.ts'
import type { MailProvider } from './mail.provider.ts'

interface MailAccount {
  readonly url: string
  readonly from: string
  readonly name: string
  readonly demandsTls: boolean
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** A send must end before the lease of its message expires. */
const deadlineMs = 40_000

function optionsOf({ url, demandsTls }: MailAccount) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS: demandsTls,
    ...timeouts,
  }
  return { options, auth: username === '' ? undefined : auth }
}

type End = (error: Error | null | undefined) => void

function withConnection(
  account: MailAccount,
  limitMs: number,
  work: (connection: SmtpConnection, end: End) => void,
) {
  const { options, auth } = optionsOf(account)
  const connection = new SmtpConnection(options)
  let deadline: NodeJS.Timeout | undefined
  return new Promise<void>((resolve, reject) => {
    deadline = setTimeout(() => reject(new Error('The mail server is too slow')), limitMs)
    const end: End = (error) => (error ? reject(error) : resolve())
    const begin = () => work(connection, end)
    connection.on('error', reject)
    connection.connect((error) => {
      if (error) reject(error)
      else if (auth && connection.allowsAuth)
        connection.login(auth, (refused) => (refused ? reject(refused) : begin()))
      else begin()
    })
  }).finally(() => {
    clearTimeout(deadline)
    connection.close()
  })
}

/** Mail servers close idle connections, so each e-mail has its own connection (docs/wires/mail.md). */
export function createMailProvider(account: MailAccount): MailProvider {
  const { from: address, name } = account
  return {
    async send({ to, subject, text, html, pictures, files, messageId }) {
      const attachments = [
        ...pictures.map(({ cid, name: filename, png }) => ({
          filename,
          cid,
          content: Buffer.from(png),
          contentType: 'image/png',
        })),
        ...files.map(({ name: filename, pdf }) => ({
          filename,
          content: Buffer.from(pdf),
          contentType: 'application/pdf',
        })),
      ]
      const letter = { from: { name, address }, to, subject, text, html, attachments, messageId }
      // Mailboxes must not reply automatically (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated' }
      const bytes = await new MailComposer({ ...letter, headers, disableFileAccess: true }).compile().build()
      let hasBegun = false
      const stream = Readable.from(
        (function* () {
          hasBegun = true
          yield bytes
        })(),
      )
      try {
        await withConnection(account, deadlineMs, (connection, end) =>
          connection.send({ from: account.from, to: [to] }, stream, end),
        )
        return { outcome: 'accepted' }
      } catch (error) {
        const outcome = readFailure(error as object, hasBegun)
        return outcome.outcome === 'unavailable' ? { ...outcome, cause: error } : outcome
      }
    },

    async check(limitMs) {
      const found = { isEncrypted: false, isSignedIn: false }
      await withConnection(account, limitMs, (connection, end) => {
        found.isEncrypted = connection.secure
        found.isSignedIn = connection.authenticated
        end(null)
      })
      return found
    },
  }
}
