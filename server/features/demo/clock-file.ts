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

    /** 0 while nothing was written. @throws when the file is damaged */
    async read(): Promise<number> {
      const text = await readFile(path, 'utf8').catch((error: { code?: unknown }) => {
        if (error.code === 'ENOENT') return '0'
        throw error
      })
      const aheadMs = text.trim() === '' ? Number.NaN : Number(text)
      if (!Number.isSafeInteger(aheadMs))
        throw new Error(`${path} is damaged: it must have one whole number, or be deleted`)
      return aheadMs
    },
  }
}
export type ClockFile = ReturnType<typeof createClockFile>
