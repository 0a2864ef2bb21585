import type { IntentionRecord } from './payment.records.ts'

/** Intentions by every key they are looked up by. */
export function createIntentionIndex() {
  const byId = new Map<string, IntentionRecord>()
  const byClientSecret = new Map<string, IntentionRecord>()
  const byOrderId = new Map<number, IntentionRecord>()
  const byReference = new Map<string, IntentionRecord>()
  const byOrderNumber = new Map<string, IntentionRecord[]>()

  const orderNumberOf = ({ extras }: IntentionRecord): string | undefined => {
    const number = extras.order_number
    return typeof number === 'number' || typeof number === 'string' ? String(number) : undefined
  }

  function add(intention: IntentionRecord): void {
    byId.set(intention.id, intention)
    byClientSecret.set(intention.clientSecret, intention)
    byOrderId.set(intention.orderId, intention)
    if (intention.reference !== null) byReference.set(intention.reference, intention)
    const number = orderNumberOf(intention)
    if (number !== undefined) byOrderNumber.set(number, [intention, ...(byOrderNumber.get(number) ?? [])])
  }

  function remove(intention: IntentionRecord): void {
    byId.delete(intention.id)
    byClientSecret.delete(intention.clientSecret)
    byOrderId.delete(intention.orderId)
    if (intention.reference !== null) byReference.delete(intention.reference)
    const number = orderNumberOf(intention)
    if (number !== undefined) byOrderNumber.delete(number)
  }

  return {
    add,
    remove,
    clear(): void {
      for (const map of [byId, byClientSecret, byOrderId, byReference, byOrderNumber]) map.clear()
    },
    count: () => byId.size,
    /** Oldest first. */
    all: () => [...byId.values()],
    oldest(): IntentionRecord | undefined {
      const [oldest] = byId.values()
      return oldest
    },
    findById: (id: string) => byId.get(id),
    findByClientSecret: (clientSecret: string) => byClientSecret.get(clientSecret),
    findByOrderId: (orderId: number) => byOrderId.get(orderId),
    findByReference: (reference: string) => byReference.get(reference),
    /** By intention id, merchant reference or the `order_number` of the extras; newest first. */
    findAll(ref: string): IntentionRecord[] {
      const one = byId.get(ref) ?? byReference.get(ref)
      return one === undefined ? (byOrderNumber.get(ref) ?? []) : [one]
    },
    /** Sets another reference; false when another intention has it. */
    changeReference(intention: IntentionRecord, reference: string): boolean {
      if (reference === intention.reference) return true
      if (byReference.has(reference)) return false
      if (intention.reference !== null) byReference.delete(intention.reference)
      byReference.set(reference, intention)
      return true
    },
  }
}
