import type { MailOutcome } from './mail.provider.ts'

/** What is read of an error of the SMTP client. */
export interface SmtpError {
  readonly code?: unknown
  readonly command?: unknown
  /** Of the server's refusal: three digits. */
  readonly responseCode?: unknown
  /** Of the server's refusal: the whole line. */
  readonly response?: unknown
}

/** RFC 5321 §4.2.2, where the refusal carries no enhanced code (RFC 3463). */
const aboutMailbox = [550, 551, 553]
/** No such mailbox or domain, not a mailbox, disabled (RFC 3463: X.1.* and X.2.1). */
const enhancedOfMailbox = /\b5\.(1\.\d{1,3}|2\.1)\b/

/**
 * A permanent refusal of the recipient is about the address, unless its enhanced code says that it is about us: `5.7.1`
 * stands for a sender that may not relay, and must not cost anybody an address (docs/wires/mail.md L4).
 */
function isAboutAddress(status: number, response: string, command: unknown): boolean {
  if (command !== 'RCPT TO') return false
  if (/\b5\.\d{1,3}\.\d{1,3}\b/.test(response)) return enhancedOfMailbox.test(response)
  return aboutMailbox.includes(status)
}

/**
 * @param hasBegun the letter itself was being sent: without an answer the server may have taken it. A refusal is an answer.
 */
export function readFailure(
  { code, command, responseCode, response }: SmtpError,
  hasBegun: boolean,
): MailOutcome {
  const status = typeof responseCode === 'number' ? responseCode : 0
  if (code === 'EAUTH') return { outcome: 'refused', fault: { reason: 'account', code: status || null } }
  if (status >= 500 && status < 600) {
    const reason = isAboutAddress(status, String(response), command) ? 'phone' : 'setup'
    return { outcome: 'refused', fault: { reason, code: status } }
  }
  if (status >= 400) return { outcome: 'refused', fault: { reason: 'busy', code: status } }
  return { outcome: 'unavailable', isCertain: !hasBegun }
}
