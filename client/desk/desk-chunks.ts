import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const libraries = /\/node_modules\//

function textsOf(id: string): string | null {
  const language = /\.(\w+)\.json$/.exec(id)?.[1]
  return language === undefined ? null : `texts-${language}`
}

/**
 * The files of the desk. `start` and `vendor` are all that the sign-in page loads, `antd` and `shared` come with a session, and
 * each page has a file of its own. The texts of a language are one file.
 */
export const deskChunks: Rolldown.CodeSplittingGroup[] = [
  { name: textsOf, debugName: 'texts', priority: 4 },
  {
    name: (id, graph) => (startOf(graph).has(id) ? 'vendor' : null),
    debugName: 'vendor',
    test: libraries,
    priority: 3,
  },
  { name: (id, graph) => (startOf(graph).has(id) ? 'start' : null), debugName: 'start', priority: 2 },
  { name: 'antd', test: libraries, priority: 1 },
  { name: 'shared', minShareCount: 2 },
]

let start: Set<string> | undefined

/** The modules that main.tsx imports, directly or through others. */
function startOf(graph: Rolldown.ChunkingContext): Set<string> {
  if (start === undefined) {
    start = new Set([fileURLToPath(new URL('main.tsx', import.meta.url))])
    // The set grows while the loop reads it.
    for (const id of start)
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) start.add(imported)
  }
  return start
}
