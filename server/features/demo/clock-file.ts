import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps over a restart how far the clock of a demo is ahead of real time. */
export function createClockFile(dataDir: string) {
  const folder = join(dataDir, 'demo')
  const path = join(folder, 'ahead-ms')

  return {
    async write(aheadMs: number): Promise<void> {
      await mkdir(folder, { recursive: true })
      await writeFile(`${path}.draft`, String(aheadMs))
      await rename(`${path}.draft`, path)
    },

    /** 0 while nothing was written. */
    async read(): Promise<number> {
      try {
        return Number(await readFile(path, 'utf8'))
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return 0
        throw error
      }
    },
  }
}
export type ClockFile = ReturnType<typeof createClockFile>
