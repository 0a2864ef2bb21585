import { isOnline } from '#client/platform/connection.ts'

const goneChunks = new WeakSet<object>()

/**
 * After a release the server no longer has the chunks an open page refers to. The error page then offers the new version;
 * nothing reloads by itself.
 */
export function watchForGoneChunks(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // A failure without a network does not mean that a new release has removed the chunk.
    if (isOnline() && typeof payload === 'object' && payload !== null) goneChunks.add(payload)
  })
}

/** True for the error of a chunk that failed to load while online. */
export function isChunkGone(problem: unknown): boolean {
  return typeof problem === 'object' && problem !== null && goneChunks.has(problem)
}
