import type { MailOutcome } from './mail.provider.ts'

export interface SmtpError {
  readonly code?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
}

/** SMTP refusals which mean that the address cannot receive e-mails (RFC 3463, RFC 7505). */
const aboutAddress = /^5\d\d[ -]5\.(1\.(1|2|3|6|10)|2\.1)\b/

/** A refusal about our own server (`5.1.8`) must not delete the user's address (docs/wires/mail.md L4). */
const isAboutAddress = (response: string, command: unknown) =>
  command === 'RCPT TO' && aboutAddress.test(response)

/** @param hasBegun the mail server has possibly accepted the e-mail */
export function readFailure(
  { code, command, responseCode, response }: SmtpError,
  hasBegun: boolean,
): MailOutcome {
  const status = typeof responseCode === 'number' ? responseCode : 0
  if (code === 'EAUTH') return { outcome: 'refused', fault: { reason: 'account', code: status || null } }
  if (status >= 500 && status < 600) {
    const reason = isAboutAddress(String(response), command) ? 'phone' : 'setup'
    return { outcome: 'refused', fault: { reason, code: status } }
  }
  if (status >= 400) return { outcome: 'refused', fault: { reason: 'busy', code: status } }
  return { outcome: 'unavailable', isCertain: !hasBegun }
}
