import { useAfter } from '#client/platform/time.ts'

/** A press within this time after an element has appeared is the second of a double press on the element before it. */
export const settleMs = 400

/** For an element that replaces another one: until it has settled, it takes presses and its content does not (base.css). */
export function useSettling(isThere = true): { readonly 'data-settling'?: true } {
  return useAfter(settleMs, isThere) ? {} : { 'data-settling': true }
}
