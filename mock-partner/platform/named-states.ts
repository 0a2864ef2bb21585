import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * States of the simulator by name, as JSON.
 * @param folder keeps them over a restart; without it they are in memory only.
 */
export function createNamedStates(folder: string | undefined) {
  const texts = new Map<string, string>()
  const pathOf = (name: string) => join(folder ?? '', `${name}.json`)

  function readText(name: string): string | undefined {
    if (folder === undefined) return texts.get(name)
    try {
      return readFileSync(pathOf(name), 'utf8')
    } catch {
      return undefined
    }
  }

  return {
    save(name: string, state: unknown): void {
      const text = JSON.stringify(state)
      if (folder === undefined) {
        texts.set(name, text)
        return
      }
      mkdirSync(folder, { recursive: true })
      writeFileSync(pathOf(name), text)
    },
    /** A copy of its own; undefined for an unknown name. */
    read(name: string): unknown {
      const text = readText(name)
      return text === undefined ? undefined : JSON.parse(text)
    },
  }
}
