import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** Stores each value as a file in the folder. Bytes, dates and large integers keep their types. */
export function createNamedValues(folder: string) {
  return {
    async write(name: string, value: unknown): Promise<void> {
      await mkdir(folder, { recursive: true })
      const draft = join(folder, `${name}.draft`)
      await writeFile(draft, serialize(value))
      await rename(draft, join(folder, name))
    },

    async read(name: string): Promise<unknown> {
      try {
        return deserialize(await readFile(join(folder, name)))
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return undefined
        throw error
      }
    },
  }
}
export type NamedValues = ReturnType<typeof createNamedValues>
