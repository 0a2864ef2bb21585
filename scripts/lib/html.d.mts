/** A chunk in Vite's manifest. */
export interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}
/** The chunks of some modules with all chunks that they import statically; the first is that of the first module. */
export function chunksOf(modules: readonly string[], manifest: Readonly<Record<string, Chunk>>): Chunk[]
