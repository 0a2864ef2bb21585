import { useAfter } from '#client/platform/time.ts'

/** So long after something has appeared, a press there is the second one of a double press on what stood there before. */
export const settleMs = 400

/** For what takes the place of something else: it takes presses, and nothing in it does, before it has settled (base.css). */
export function useSettling(isThere = true): { readonly 'data-settling'?: true } {
  return useAfter(settleMs, isThere) ? {} : { 'data-settling': true }
}
