import { readOrderNumber } from '../platform/references.ts'
import type { IntentionRecord } from './payment.records.ts'

/** The keys that name one intention alone. */
const keysOf = ({ id, clientSecret, orderId, reference }: IntentionRecord): string[] => [
  `id ${id}`,
  `secret ${clientSecret}`,
  `order ${orderId}`,
  ...(reference === null ? [] : [`reference ${reference}`]),
]

/** Intentions by every key they are looked up by. */
export function createIntentionIndex() {
  const intentions = new Set<IntentionRecord>()
  const byKey = new Map<string, IntentionRecord>()
  /** Newest first. */
  const byOrderNumber = new Map<unknown, IntentionRecord[]>()

  const ofNumber = (number: unknown) => byOrderNumber.get(String(number)) ?? []
  const findById = (id: string) => byKey.get(`id ${id}`)
  const findByReference = (reference: string) => byKey.get(`reference ${reference}`)

  return {
    add(intention: IntentionRecord): void {
      const { order_number: number } = intention.extras
      intentions.add(intention)
      for (const key of keysOf(intention)) byKey.set(key, intention)
      if (number !== undefined) byOrderNumber.set(String(number), [intention, ...ofNumber(number)])
    },
    remove(intention: IntentionRecord): void {
      intentions.delete(intention)
      for (const key of keysOf(intention)) byKey.delete(key)
      byOrderNumber.delete(String(intention.extras.order_number))
    },
    clear(): void {
      for (const each of [intentions, byKey, byOrderNumber]) each.clear()
    },
    count: () => intentions.size,
    /** Oldest first. */
    all: () => [...intentions],
    findById,
    findByClientSecret: (clientSecret: string) => byKey.get(`secret ${clientSecret}`),
    findByOrderId: (orderId: number) => byKey.get(`order ${orderId}`),
    findByReference,
    /** By intention id, merchant reference or order number (`42` or `OD-42`); newest first. */
    findAll(ref: string): IntentionRecord[] {
      const one = findById(ref) ?? findByReference(ref)
      return one === undefined ? ofNumber(readOrderNumber(ref) ?? ref) : [one]
    },
    /** Sets another reference; false when another intention has it. */
    changeReference(intention: IntentionRecord, reference: string): boolean {
      if (reference === intention.reference) return true
      if (findByReference(reference) !== undefined) return false
      byKey.delete(`reference ${intention.reference}`)
      byKey.set(`reference ${reference}`, intention)
      return true
    },
  }
}
