import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { engines } from '#test/kit/database/databases.ts'
import { readRepoFile, repoFiles } from '#test/kit/repo/repo-files.ts'
import { parseSource } from '#test/kit/repo/source-tree.ts'

const serverFiles = repoFiles('server', /\.ts$/)
const queries = serverFiles.filter((path) => path.endsWith('.queries.ts'))
const contracts = serverFiles.filter((path) => path.endsWith('.store.test.ts'))
const contractTexts = contracts.map(readRepoFile).join('\n')
/** Pure: it reads no database. */
const pure = new Set(['carriageChange'])

/** Names of the exported functions of a file. */
function functionsOf(path: string): string[] {
  const names: string[] = []
  parseSource(path).visit((node) => void names.push(...exportedBy(node)))
  return names
}

function exportedBy(node: ts.Node): readonly string[] {
  if (!ts.isFunctionDeclaration(node) && !ts.isVariableStatement(node)) return []
  if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isFunctionDeclaration(node)) return [node.name?.text ?? '']
  return node.declarationList.declarations
    .filter(({ initializer: made }) => made && (ts.isArrowFunction(made) || ts.isCallExpression(made)))
    .map(({ name }) => name.getText())
}

describe('stores', () => {
  it.each(contracts)('%s runs on both engines', (contract) => {
    expect(readRepoFile(contract)).toMatch(/^forEachEngine\(/m)
  })

  it.each(queries)(
    '%s: a contract runs each of its functions, so that each statement is explained',
    (path) => {
      const names = functionsOf(path)
      expect(names.length).toBeGreaterThan(0)
      const missing = names.filter(
        (name) => !pure.has(name) && !new RegExp(`\\b${name}\\(`).test(contractTexts),
      )
      expect(missing).toEqual([])
    },
  )

  it('run on SQLite and PostgreSQL', () => {
    expect([...engines].sort()).toEqual(['postgres', 'sqlite'])
  })
})
