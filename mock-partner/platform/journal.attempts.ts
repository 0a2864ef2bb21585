import type { AttemptReport } from './deliveries.ts'
import type { CallbackProof } from './journal.entry.ts'
import type { Journal } from './journal.ts'

/** Why a receiver may have refused, as far as the sender knows. */
function whyRefused({ key, differences }: CallbackProof): string {
  const reasons = [
    ...(key === 'wrong-key' ? ["signed with another key than the account's"] : []),
    ...differences.map(({ field, sent, expected }) =>
      expected === null
        ? `${field} is ${String(sent)}, which the provider does not have`
        : `${field} is ${String(sent)} instead of ${String(expected)}`,
    ),
  ]
  return reasons.join('; ') || 'the key and every signed field are right: the answer says why'
}

const isRefusal = (status: number): boolean => status < 200 || status >= 300

/** Writes the attempts of deliveries into the journal. */
export const journalAttempts =
  (journal: Journal) =>
  ({ delivery, journal: { service, subject, proof }, answer, ...report }: AttemptReport): void => {
    const { id, about, state, attempts, nextAttemptAt, url } = delivery
    journal.add({
      at: report.at,
      direction: 'out',
      service,
      subject,
      request: { method: 'POST', url, headers: report.headers, body: report.body },
      response: answer,
      error: report.error,
      durationMs: report.durationMs,
      fault: null,
      callback: {
        id,
        mode: typeof about.mode === 'string' ? about.mode : null,
        attempt: attempts.length,
        state,
        nextAttemptAt: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
        ...proof,
        why: answer !== null && isRefusal(answer.status) ? whyRefused(proof) : null,
      },
    })
  }
