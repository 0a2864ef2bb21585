import { useSyncExternalStore } from 'react'
import { readStored, readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { type KeptClaims, parseKeptClaims, withAnswer } from './kept-claims.rules.ts'

/*
 * The claims that stay on the phone, so that the barcode can be shown without a network. They belong to the user whose
 * session the server confirmed last, and are wiped when it ends or another person signs in.
 */

const listeners = new Set<() => void>()

/** Names the signed-in user. Claims of another one are wiped. */
export function ownKeptClaims(userId: number): void {
  if (readKeptClaims()?.userId === userId) return
  storeClaims({ userId, listedAt: 0, claims: [] })
}

export function wipeKeptClaims(): void {
  if (readStored('keptClaims') === undefined) return
  removeStored('keptClaims')
  notify()
}

export function readKeptClaims(): KeptClaims | undefined {
  return parseKeptClaims(readStoredJson('keptClaims'), Date.now())
}

/**
 * Keeps the paid orders of an answer. Not when the user changed while it was on its way: it is another one's answer.
 * @returns `answer` itself.
 */
export async function keepingClaims<T>(
  answer: Promise<T>,
  ordersOf: (answer: T) => readonly Order[],
  reference?: string,
): Promise<T> {
  const userId = readKeptClaims()?.userId
  const result = await answer
  const kept = readKeptClaims()
  if (kept !== undefined && kept.userId === userId)
    storeClaims(withAnswer(kept, { orders: ordersOf(result), reference, now: Date.now() }))
  return result
}

/** The kept claims; the component renders again when they change, also from another tab. */
export function useKeptClaims(): KeptClaims | undefined {
  // Prerendered pages are those of a new visitor.
  return useSyncExternalStore(subscribe, currentClaims, () => undefined)
}

let current: { readonly text: string | undefined; readonly claims: KeptClaims | undefined } = {
  text: undefined,
  claims: undefined,
}

/** The same object for the same stored text, as React requires. */
function currentClaims(): KeptClaims | undefined {
  const text = readStored('keptClaims')
  if (text !== current.text) current = { text, claims: readKeptClaims() }
  return current.claims
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function storeClaims(claims: KeptClaims): void {
  // Storage that refuses the new claims must not go on holding those of another user.
  if (!storeJson('keptClaims', claims)) removeStored('keptClaims')
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}
