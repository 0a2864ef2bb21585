import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { isInRepo, readRepoFile } from '#test/kit/repo-files.ts'
import { parseSource } from '#test/kit/source-tree.ts'

/** The number of lines of each chapter with a visible effect. Fewer rows mean that one was dropped. */
const linesPerChapter: Readonly<Record<string, number>> = { 2: 60, 4: 25, 5: 10, 8: 26, 9: 15 }

interface Row {
  readonly line: string
  readonly code: readonly string[]
  readonly tests: readonly { file: string; title: string }[]
}

const spansOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '')

const rows: readonly Row[] = readRepoFile('docs/spec-coverage.md')
  .split('\n')
  .filter((row) => /^\| \d+\.\d+ \|/.test(row))
  .map((row) => {
    const [line = '', , code = '', tests = ''] = row.replace(/^\| | \|$/g, '').split(' | ')
    return {
      line,
      code: spansOf(code),
      tests: spansOf(tests).map((span) => {
        const [file = '', title = ''] = span.split(' › ')
        return { file, title }
      }),
    }
  })

const titles = new Map<string, ReadonlySet<string>>()

/** The titles of the tests of a file, as written in the source. */
function titlesIn(file: string): ReadonlySet<string> {
  const known = titles.get(file)
  if (known !== undefined) return known
  const found = new Set<string>()
  parseSource(file).visit((node) => {
    if (!ts.isCallExpression(node) || !/^(it|test)\b/.test(node.expression.getText())) return
    const [first] = node.arguments
    if (first !== undefined && ts.isStringLiteralLike(first)) found.add(first.text)
  })
  titles.set(file, found)
  return found
}

describe('the coverage of the specification', () => {
  it('has a row for every line, numbered without a gap', () => {
    for (const [chapter, count] of Object.entries(linesPerChapter)) {
      const numbers = rows.map(({ line }) => line).filter((line) => line.startsWith(`${chapter}.`))
      expect(numbers.length, `chapter ${chapter}`).toBeGreaterThanOrEqual(count)
      expect(numbers).toEqual(numbers.map((_, index) => `${chapter}.${index + 1}`))
    }
  })

  it('names code that exists', () => {
    for (const { line, code } of rows) {
      expect(code.length, line).toBeGreaterThan(0)
      expect(
        code.filter((path) => !isInRepo(path)),
        line,
      ).toEqual([])
    }
  })

  it('names tests that exist', () => {
    const missing = rows.flatMap(({ line, tests }) =>
      tests
        .filter(({ file, title }) => !isInRepo(file) || !titlesIn(file).has(title))
        .map(({ file, title }) => `${line} ${file} › ${title}`),
    )
    expect(rows.filter(({ tests }) => tests.length === 0).map(({ line }) => line)).toEqual([])
    expect(missing).toEqual([])
  })
})
