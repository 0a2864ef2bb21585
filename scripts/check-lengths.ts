import ts from 'typescript'
import { readRepoFile, repoFiles } from '#test/kit/repo-files.ts'

/*
 * `npm run count [-- 30]`: lines of production code, styles and tests of each app, and the functions with the
 * most own lines (10 by default). `--check` prints only those with more than 150. Exits with 1 if there are any.
 * Tests are `*.test.*`, the contracts of stores and everything in `test/`. Own lines of a function are outside of
 * longer functions within it; a function on one line belongs to the one around it.
 */

const isCheck = process.argv[2] === '--check'
const shown = Number(process.argv[2] ?? 10)
const mostOwnLines = 150

const isTest = (path: string) => /^test\/|\.(test|contract)\.tsx?$/.test(path)
const files = repoFiles('', /\/.*\.(tsx?|m?js|css)$/, /^(docs|deploy)\//).map((path) => ({
  path,
  text: readRepoFile(path),
}))

interface OwnLines {
  readonly lines: number
  readonly where: string
}

function functionsOf(path: string, text: string): OwnLines[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: OwnLines[] = []
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line

  function linesOfFunctionsIn(node: ts.Node): Set<number> {
    const covered = new Set<number>()
    node.forEachChild((child) => {
      for (const line of linesOfFunctionsIn(child)) covered.add(line)
    })
    if (!ts.isFunctionLike(node) || !('body' in node)) return covered
    const [first, last] = [lineAt(node.getStart()), lineAt(node.end)]
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
const lineOf = ({ lines, where }: OwnLines) => `${String(lines).padStart(4)} ${where}`
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

const functions = files
  .filter(({ path }) => !isTest(path) && !path.endsWith('.css'))
  .flatMap(({ path, text }) => functionsOf(path, text))
  .sort((a, b) => b.lines - a.lines)
const long = functions.filter(({ lines }) => lines > mostOwnLines)
const said = `${long.length} functions have more than ${mostOwnLines} own lines`
if (isCheck) {
  if (long.length > 0) console.error([`${said}:`, ...long.map(lineOf)].join('\n'))
} else {
  console.log(`${'app'.padEnd(14)}${['code', 'styles', 'tests'].map((head) => head.padStart(8)).join('')}`)
  for (const app of new Set(files.map(({ path }) => path.split('/')[0] ?? '')))
    row(
      app,
      files.filter(({ path }) => path.startsWith(`${app}/`)),
    )
  row('all', files)
  console.log(`\n${said}; the longest:`)
  for (const each of functions.slice(0, shown)) console.log(lineOf(each))
}
if (long.length > 0) process.exitCode = 1
