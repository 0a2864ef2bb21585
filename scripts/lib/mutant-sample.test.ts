import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { afterEach, describe, expect, it } from 'vitest'
import { readRepoFile, repoFiles } from '#test/kit/repo-files.ts'
import { drawSample, inSeededOrder, isAlwaysWhole, isMutated } from './mutant-sample.ts'
import { mutantsOf } from './mutators.ts'

describe('drawSample', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  function project(files: Readonly<Record<string, string>>): string {
    const root = mkdtempSync(join(tmpdir(), 'amtiati-sample-'))
    folders.push(root)
    const config = { compilerOptions: { strict: true, noEmit: true, lib: ['ES2024'], types: [] } }
    for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return root
  }
  const rules = 'server/features/payments/payments.rules.ts'
  const root = () =>
    project({
      [rules]: 'export const isLate = (at: number, now: number) => at + 5 < now\n',
      'server/a.ts': [
        'export const a = (b: number) => b * 2 > 4 && b / 3 !== 1',
        // Without the default the type does not fit.
        'export const c = (d: string | undefined): string => d ?? "e"',
      ].join('\n'),
    })

  it('holds every mutant of the rules, and the requested number of others', () => {
    const { mutants } = drawSample(root(), [rules, 'server/a.ts'], { seed: '1', count: 2 })
    expect(mutants.filter(({ file }) => file === rules).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['arithmetic', 'number', 'boundary']),
    )
    expect(mutants.filter(({ file }) => file === 'server/a.ts')).toHaveLength(2)
  })

  it('depends on the seed only', () => {
    const at = root()
    const ids = (seed: string) =>
      drawSample(at, ['server/a.ts'], { seed, count: 3 }).mutants.map(({ id }) => id)
    expect(ids('1')).toEqual(ids('1'))
    expect(ids('1')).not.toEqual(ids('2'))
  })

  it('replaces a mutant that does not compile', () => {
    const { mutants, total, refused } = drawSample(root(), ['server/a.ts'], { seed: '1', count: 100 })
    expect(refused).toBe(1)
    expect(mutants).toHaveLength(total - 1)
    expect(mutants.map(({ replacement }) => replacement)).not.toContain('(d)')
    expect(mutants.map(({ replacement }) => replacement)).toContain('("e")')
  })
})

describe('inSeededOrder', () => {
  it('does not depend on the previous order', () => {
    const mutants = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
    expect(inSeededOrder(mutants.toReversed(), '7')).toEqual(inSeededOrder(mutants, '7'))
  })

  it('keeps its order when another mutant is inserted', () => {
    const mutants = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
    const more = inSeededOrder([...mutants, { id: 'x' }], '7').filter(({ id }) => id !== 'x')
    expect(more).toEqual(inSeededOrder(mutants, '7'))
  })
})

describe('the files that are mutated', () => {
  it('are shipped code', () => {
    expect(isMutated('server/features/orders/orders.service.ts')).toBe(true)
    expect(isMutated('client/ui/field.tsx')).toBe(true)
    for (const path of [
      'server/app.test.ts',
      'server/features/orders/orders.store.contract.ts',
      'server/platform/database/migrations/0001-journey.ts',
      'mock-partner/main.ts',
      'client/app/app.css',
    ])
      expect(isMutated(path), path).toBe(false)
  })

  it('have a mutant in every function of the rules of payments, shipments and sessions', () => {
    const files = repoFiles('server/features', /\.rules\.ts$/).filter(isAlwaysWhole)
    expect(new Set(files.map((file) => file.split('/')[2]))).toEqual(
      new Set(['payments', 'shipments', 'sessions']),
    )
    const without = files.flatMap((file) => {
      const source = ts.createSourceFile(file, readRepoFile(file), ts.ScriptTarget.Latest, true)
      const mutants = mutantsOf(file, source)
      return source.statements
        .filter((statement) => ts.isFunctionDeclaration(statement))
        .filter((each) => !mutants.some(({ start, end }) => start >= each.pos && end <= each.end))
        .map(({ name }) => `${file} ${name?.text}`)
    })
    expect(without).toEqual([])
  })
})
