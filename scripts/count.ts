import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * `npm run count [-- 30]`: lines of production code, styles and tests of each app, and the functions with the most own
 * lines (10 by default). Tests are `*.test.*`, the contracts of stores and everything in `test/`. Own lines of a function
 * are those outside of longer functions within it; a function on one line belongs to the one around it.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const shown = Number(process.argv[2] ?? 10)
const mostOwnLines = 60

const isTest = (path: string) => /^test\/|\.(test|contract)\.tsx?$/.test(path)
const files = execFileSync('git', ['ls-files', '*/*.ts', '*/*.tsx', '*/*.js', '*/*.mjs', '*/*.css'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !/^(docs|deploy)\//.test(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))

interface OwnLines {
  readonly lines: number
  readonly where: string
}

function functionsOf(path: string, text: string): OwnLines[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: OwnLines[] = []
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line

  /** @returns the lines of the functions in the node, or of the node if it is a function. */
  function linesOfFunctionsIn(node: ts.Node): Set<number> {
    const covered = new Set<number>()
    node.forEachChild((child) => {
      for (const line of linesOfFunctionsIn(child)) covered.add(line)
    })
    if (!ts.isFunctionLike(node) || !('body' in node)) return covered
    const [first, last] = [lineOf(node.getStart()), lineOf(node.end)]
    if (first === last) return covered
    const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    found.push({
      lines: lines.filter((line) => !covered.has(line)).length,
      where: `${path}:${first + 1} ${nameOf(node)}`,
    })
    return new Set(lines)
  }
  linesOfFunctionsIn(source)
  return found
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
  return (node.name ?? (named ? node.parent.name : undefined))?.getText() ?? ''
}

const linesOf = (those: typeof files) => those.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
const apps = [...new Set(files.map(({ path }) => path.split('/')[0] ?? ''))]
console.log(`${'app'.padEnd(14)}${['code', 'styles', 'tests'].map((head) => head.padStart(8)).join('')}`)
const row = (name: string, of: typeof files) => {
  const isStyle = ({ path }: { path: string }) => path.endsWith('.css')
  const shipped = of.filter(({ path }) => !isTest(path))
  const counts = [
    linesOf(shipped.filter((file) => !isStyle(file))),
    linesOf(shipped.filter(isStyle)),
    linesOf(of.filter(({ path }) => isTest(path))),
  ]
  console.log(`${name.padEnd(14)}${counts.map((count) => String(count).padStart(8)).join('')}`)
}
for (const app of apps)
  row(
    app,
    files.filter(({ path }) => path.startsWith(`${app}/`)),
  )
row('all', files)

const functions = files
  .filter(({ path }) => !isTest(path) && !path.endsWith('.css'))
  .flatMap(({ path, text }) => functionsOf(path, text))
  .sort((a, b) => b.lines - a.lines)
const long = functions.filter(({ lines }) => lines > mostOwnLines).length
console.log(`\n${long} functions have more than ${mostOwnLines} own lines; the longest:`)
for (const { lines, where } of functions.slice(0, shown)) console.log(`${String(lines).padStart(4)} ${where}`)
