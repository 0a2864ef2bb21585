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
/** A send must end before the lease of its message. */
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

function deliver(account: MailAccount, to: string, letter: Readable) {
  const { options, auth } = optionsOf(account)
  const connection = new SmtpConnection(options)
  let deadline: NodeJS.Timeout | undefined
  return new Promise<void>((resolve, reject) => {
    deadline = setTimeout(() => reject(new Error('The mail server is too slow')), deadlineMs)
    const send = () =>
      connection.send({ from: account.from, to: [to] }, letter, (error) =>
        error ? reject(error) : resolve(),
      )
    connection.on('error', reject)
    connection.connect((error) => {
      if (error) reject(error)
      else if (auth && connection.allowsAuth)
        connection.login(auth, (refused) => (refused ? reject(refused) : send()))
      else send()
    })
  }).finally(() => {
    clearTimeout(deadline)
    connection.close()
  })
}

/**
 * SMTP (docs/wires/mail.md). Each e-mail has its own connection: e-mails are rare, so the server would close an idle
 * one.
 */
export function createMailProvider(account: MailAccount): MailProvider {
  const { from: address, name } = account
  return {
    async send({ to, subject, text, html, files, messageId }) {
      const attachments = files.map(({ name: filename, pdf }) => ({
        filename,
        content: Buffer.from(pdf),
        contentType: 'application/pdf',
      }))
      const letter = { from: { name, address }, to, subject, text, html, attachments, messageId }
      // Asks mailboxes not to reply automatically (RFC 3834).
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
        await deliver(account, to, stream)
        return { outcome: 'accepted' }
      } catch (error) {
        const outcome = readFailure(error as object, hasBegun)
        return outcome.outcome === 'unavailable' ? { ...outcome, cause: error } : outcome
      }
    },
  }
}
