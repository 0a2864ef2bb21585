export type Flushes = ReturnType<typeof createFlushes>

/**
 * Tells when writes are on the disk. Several writes share one flush (group commit).
 * @param flush writes everything so far to the disk; never called concurrently.
 */
export function createFlushes(flush: () => Promise<void>) {
  let written = 0
  let onDisk = 0
  let running: Promise<void> | undefined
  let failure: { readonly cause: unknown } | undefined

  /**
   * @throws the error of a failed flush. The system may have dropped data that it could not write, and a later flush would
   * not report it: after a failure this process writes nothing more.
   */
  function assertSound(): void {
    if (failure) throw failure.cause
  }

  async function run(): Promise<void> {
    const covered = written
    try {
      await flush()
      onDisk = covered
    } catch (cause) {
      failure = { cause }
    }
    running = undefined
  }

  return {
    /** Records a write that no flush covers yet. */
    noteWrite(): void {
      written += 1
    },
    /** True while a write is not known to be on the disk. */
    isPending: () => onDisk < written && !failure,
    /** Resolves when every write before the call is on the disk. @throws as `assertSound`. */
    async settled(): Promise<void> {
      const awaited = written
      while (onDisk < awaited) {
        assertSound()
        // A running flush began before this write; the next one covers it and all that wait with it.
        running ??= run()
        await running
      }
    },
    assertSound,
  }
}
