import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { mailScenarioOf } from './mail.scenarios.ts'
import type { MailState } from './mail.state.ts'

const refusalOf = (status: number, text: string) => Object.assign(new Error(text), { responseCode: status })

async function readLetter(letter: string) {
  const { from, subject, text, html, messageId, attachments } = await PostalMime.parse(letter, {
    attachmentEncoding: 'base64',
  })
  return {
    from: from?.address ?? '',
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    messageId: messageId ?? '',
    attachments: attachments
      .filter(({ related }) => !related)
      .map(({ filename, mimeType, content }) => ({
        name: filename ?? '',
        type: mimeType,
        base64: String(content),
      })),
    pictures: attachments
      .filter(({ related }) => related)
      .map(({ contentId, content }) => ({
        cid: contentId?.replace(/^<|>$/g, '') ?? '',
        base64: String(content),
      })),
  }
}

/** A mail server without TLS and sign-in, which takes every letter except those of mail.scenarios.ts. */
export function createMailServer({ state, onChange }: { state: MailState; onChange: () => void }) {
  let server: SMTPServer | undefined
  const open = () =>
    new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      // The name of a client is not looked up: a test has no DNS.
      disableReverseLookup: true,
      closeTimeout: 100,
      onRcptTo({ address }, _session, callback) {
        const scenario = mailScenarioOf(address)
        callback(scenario?.kind === 'refuse' ? refusalOf(scenario.status, scenario.text) : undefined)
      },
      onData(stream, { envelope }, callback) {
        const recipients = envelope.rcptTo.map(({ address }) => address)
        textOf(stream)
          .then(readLetter)
          .then((letter) => {
            for (const to of recipients) state.deliver({ ...letter, by: 'smtp', to: to.toLowerCase() })
            onChange()
            if (recipients.some((to) => mailScenarioOf(to)?.kind === 'silent')) {
              for (const connection of server?.connections ?? []) connection.close()
            } else callback()
          })
          .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))))
      },
    })

  return {
    /** Resolves with the port. Rejects where it is in use. */
    async listen(port: number, host: string): Promise<number> {
      const opened = open()
      server = opened
      await new Promise<void>((resolve, reject) => {
        opened.once('error', reject)
        opened.listen(port, host, resolve)
      })
      // A client that goes away is no fault of the server.
      opened.on('error', () => undefined)
      opened.server.unref()
      return (opened.server.address() as AddressInfo).port
    },
    async close(): Promise<void> {
      const closing = server
      server = undefined
      if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()))
    },
  }
}
