import {
  distinct,
  type FindReferences,
  noReferences,
  orderNumberIn,
  type References,
  textIn,
} from '../platform/references.ts'

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
export function createMessageReferences(orderOfAwb: OrderOfAwb) {
  function referencesOf({ to, body, sid }: Omit<SentMessage, 'sid'> & Partial<SentMessage>): References {
    const [awb] = awbInText.exec(body) ?? []
    const order = orderNumberIn(body) ?? (awb === undefined ? undefined : orderOfAwb(awb))
    return { ...noReferences(), orders: distinct([order]), phone: to, refs: distinct([sid, awb]) }
  }

  return {
    referencesOf,
    find:
      (state: SentMessages): FindReferences =>
      (request) => {
        const { file = '' } = request.params as { file?: string }
        const read = state.find(file.replace(/\.json$/, ''))
        if (read !== undefined) return referencesOf(read)
        const { To, Body = '' } = (request.body ?? {}) as { To?: string; Body?: string }
        if (To === undefined)
          return { ...noReferences(), phone: textIn((request.query as { To?: unknown }).To) ?? null }
        const sent = state.list(To, 20).find(({ body }) => body === Body)
        return referencesOf(sent ?? { to: To, body: Body })
      },
  }
}
export type MessageReferences = ReturnType<typeof createMessageReferences>
