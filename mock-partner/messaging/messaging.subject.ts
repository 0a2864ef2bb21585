import type { Subject } from '../platform/journal.entry.ts'
import { type Describe, distinct, noSubject, orderNumberIn } from '../platform/subject.ts'

/** Finds the order of an airway bill. */
export type OrderOfAwb = (awb: string) => number | undefined

interface SentMessage {
  to: string
  body: string
  sid: string
}

interface SentMessages {
  find(sid: string): SentMessage | undefined
  /** Newest first. */
  list(phone: string, limit: number): SentMessage[]
}

const awbInText = /(?<!\d)\d{12}(?!\d)/

/** Texts name their order, or a bag by its airway bill. */
export function createMessageSubjects(orderOfAwb: OrderOfAwb) {
  function subjectOf({
    to,
    body,
    sid,
  }: Omit<SentMessage, 'sid'> & Partial<SentMessage>): Omit<Subject, 'operation'> {
    const [awb] = awbInText.exec(body) ?? []
    const order = orderNumberIn(body) ?? (awb === undefined ? undefined : orderOfAwb(awb))
    return { ...noSubject(), orders: distinct([order]), phone: to, refs: distinct([sid, awb]) }
  }

  return {
    subjectOf,
    describe:
      (world: SentMessages): Describe =>
      (request) => {
        const { file } = request.params as { file?: string }
        const read = file === undefined ? undefined : world.find(file.replace(/\.json$/, ''))
        if (read !== undefined) return subjectOf(read)
        const { To, Body = '' } = (request.body ?? {}) as { To?: string; Body?: string }
        if (To === undefined) {
          const { To: listed } = request.query as { To?: unknown }
          return { ...noSubject(), phone: typeof listed === 'string' && listed !== '' ? listed : null }
        }
        const sent = world.list(To, 20).find(({ body }) => body === Body)
        return subjectOf(sent ?? { to: To, body: Body })
      },
  }
}
export type MessageSubjects = ReturnType<typeof createMessageSubjects>
