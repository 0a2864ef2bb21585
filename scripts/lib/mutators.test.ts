import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { applyMutant, type MutantKind, mutantsOf } from './mutators.ts'

/** Every text that one mutant makes of the code, by the kind of the change. */
function changed(code: string, file = 'server/a.ts'): [MutantKind, string][] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, kind)
  return mutantsOf(file, source).map((mutant) => [mutant.kind, applyMutant(code, mutant)])
}

/** The same with a type checker, which knows the unions. */
function changedStates(code: string): string[] {
  const file = '/a.ts'
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const host = ts.createCompilerHost({})
  const program = ts.createProgram(
    [file],
    { noLib: true, strict: true },
    {
      ...host,
      getSourceFile: (path) => (path === file ? source : undefined),
    },
  )
  return mutantsOf(file, source, program.getTypeChecker())
    .filter(({ kind }) => kind === 'state')
    .map((mutant) => applyMutant(code, mutant))
}

describe('mutantsOf', () => {
  it.each<[MutantKind, string, string]>([
    ['boundary', 'a < b', 'a <= b'],
    ['boundary', 'a >= b', 'a > b'],
    ['equality', 'a === b', 'a !== b'],
    ['logical', 'a && b', 'a || b'],
    ['arithmetic', 'a - b', 'a + b'],
    ['arithmetic', 'a += b', 'a -= b'],
    ['boolean', 'f(true)', 'f(false)'],
    ['condition', 'a ? b : c', '!(a) ? b : c'],
    ['condition', 'while (!a) b += c', 'while (a) b += c'],
    ['guard', 'if (a) return', ';'],
    ['guard', 'if (a) { throw b }', ';'],
    ['default', 'a ?? b', '(a)'],
    ['default', 'a ?? b', '(b)'],
    ['optional', 'a?.b', 'a!.b'],
    ['method', 'a.filter(b)', 'a'],
    ['method', 'a.some(b)', 'a.every(b)'],
    ['method', 'Math.min(a, b)', 'Math.max(a, b)'],
    ['call', 'await a(b)', ';'],
    ['element', "f(['a', 'b'])", "f(['b'])"],
    ['body', 'function f() { a(); b() }', 'function f() {}'],
  ])('makes a mutant of kind %s: %s becomes %s', (kind, code, mutant) => {
    expect(changed(code)).toContainEqual([kind, mutant])
  })

  it('changes numbers in rules, and durations by more than counts', () => {
    const numbers = changed('const a = [5, 60_000]', 'server/features/payments/payments.rules.ts')
      .filter(([kind]) => kind === 'number')
      .map(([, code]) => code)
    expect(numbers).toEqual(['const a = [6, 60_000]', 'const a = [5, 120000]'])
    expect(changed('const a = 5')).toEqual([])
  })

  it('skips expressions without a decision', () => {
    expect(changed('const a = fold(b)', 'shared/platform/phone.rules.ts')).toEqual([
      ['unwrap', 'const a = b'],
    ])
    expect(changed('const a = fold(b)')).toEqual([])
  })

  it('replaces a member of a union by another', () => {
    const type = "type S = 'due' | 'asked' | 'done'; declare let s: S; "
    expect(changedStates(`${type}s = 'due'`)).toEqual([`${type}s = 'asked'`])
    expect(changedStates(`${type}const a = s === 'done'`)).toEqual([`${type}const a = s === 'due'`])
    expect(changedStates("const a: string = 'due'")).toEqual([])
  })

  it.each([
    "import { a } from './a.ts'",
    "type A = 'a' | 'b'",
    'interface A { a: true }',
    'let a: 1 | true',
    `const a = [${"'a', ".repeat(13)}['b', 'c']]`,
  ])('skips code without a decision: %s', (code) => {
    expect(changed(code)).toEqual([])
  })

  it('skips texts of JSX elements, and changes their conditions', () => {
    expect(changed('const a = b && <p className="c">d</p>', 'client/a.tsx').map(([kind]) => kind)).toEqual([
      'logical',
    ])
  })

  it('names equal mutants differently, independent of line numbers', () => {
    const idsOf = (code: string) => {
      const source = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true)
      return mutantsOf('a.ts', source).map(({ id }) => id)
    }
    const ids = idsOf('const x = [a < b, c < d]')
    expect(new Set(ids).size).toBe(2)
    expect(idsOf('// one\n// two\nconst x = [a < b, c < d]')).toEqual(ids)
  })
})
