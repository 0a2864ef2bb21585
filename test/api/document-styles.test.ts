import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRepoFile, repoRoot } from '#test/kit/repo-files.ts'

interface Chunk {
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

const folder = 'dist/client'
const manifest = JSON.parse(readRepoFile(`${folder}/.vite/manifest.json`)) as Readonly<Record<string, Chunk>>

/** Style files of what a chunk imports, directly or through others, without its own. */
function importedStyles(chunk: Chunk, seen = new Set<Chunk>([chunk])): readonly string[] {
  return (chunk.imports ?? []).flatMap((key) => {
    const next = manifest[key]
    if (next === undefined || seen.has(next)) return []
    seen.add(next)
    return [...(next.css ?? []), ...importedStyles(next, seen)]
  })
}

/** Each file with one that it may override. */
const pairs = Object.values(manifest).flatMap((chunk) =>
  (chunk.css ?? []).flatMap((later) => importedStyles(chunk).map((earlier) => ({ earlier, later }))),
)

it.each(readdirSync(join(repoRoot, folder, 'documents')).filter((name) => name.endsWith('.html')))(
  '%s has the styles of a page behind those of the parts that it uses',
  (name) => {
    const html = readRepoFile(`${folder}/documents/${name}`)
    const styles = [...html.matchAll(/<link rel="stylesheet" href="\/([^"]+)" disabled>/g)].map(
      ([, file]) => file,
    )
    expect(styles).not.toHaveLength(0)
    const held = pairs.filter(({ earlier, later }) => styles.includes(earlier) && styles.includes(later))
    for (const { earlier, later } of held)
      expect(styles.indexOf(earlier), `${earlier} before ${later}`).toBeLessThan(styles.indexOf(later))
  },
)
