import ts from 'typescript'
import { readRepoFile } from './repo-files.ts'

export interface SourceTree {
  readonly path: string
  readonly file: ts.SourceFile
  /** Calls `look` with every node of the syntax tree, parents first. */
  visit(look: (node: ts.Node) => void): void
  /** `path:line` of a node. */
  locationOf(node: ts.Node): string
}

export function parseSource(path: string, text = readRepoFile(path)): SourceTree {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  return {
    path,
    file,
    visit(look) {
      const walk = (node: ts.Node): void => {
        look(node)
        ts.forEachChild(node, walk)
      }
      walk(file)
    },
    locationOf: (node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`,
  }
}
