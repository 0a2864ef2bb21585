import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A restart must not set the demo clock back, so its lead over real time is stored. */
const pathIn = (dataDir: string) => join(dataDir, 'demo', 'ahead-ms')

export async function writeAhead(dataDir: string, aheadMs: number): Promise<void> {
  const path = pathIn(dataDir)
  await mkdir(join(dataDir, 'demo'), { recursive: true })
  await writeFile(`${path}.draft`, String(aheadMs))
  await rename(`${path}.draft`, path)
}

export async function readAhead(dataDir: string): Promise<number> {
  const path = pathIn(dataDir)
  const text = await readFile(path, 'utf8').catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return '0'
    throw error
  })
  const aheadMs = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(aheadMs))
    throw new Error(`${path} is damaged: it must have one whole number, or be deleted`)
  return aheadMs
}
