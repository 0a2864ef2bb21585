import { describe, expect, it } from 'vitest'
import { repoFiles, repoRoot } from '#test/kit/repo-files.ts'
import { importersOf, readImporters, resolveImport, testsFor } from './mutant-tests.ts'

const importers = readImporters(repoRoot, repoFiles('', /\.(tsx?|mjs)$/))

describe('resolveImport', () => {
  it.each([
    ['server/features/a/b.ts', './c.ts', 'server/features/a/c.ts'],
    ['server/features/a/b.ts', '../../app.ts', 'server/app.ts'],
    ['server/app.ts', '#shared/platform/money.ts', 'shared/platform/money.ts'],
    ['server/app.test.ts', '#mock/app.ts', 'mock-partner/app.ts'],
    ['server/app.ts', 'fastify', undefined],
    ['server/app.ts', 'node:fs', undefined],
  ])('resolves from %s the import %s to %s', (from, specifier, target) => {
    expect(resolveImport(from, specifier)).toBe(target)
  })
})

describe('testsFor', () => {
  it('begins with the test beside the file, and ends with those of the whole app', () => {
    const groups = testsFor('server/features/payments/payments.rules.ts', importers)
    expect(groups[0]).toEqual(['server/features/payments/payments.rules.test.ts'])
    expect(groups[1]).toContain('server/features/payments/payments.test.ts')
    expect(groups[2]).toContain('server/app.test.ts')
    expect(groups[3]).toContain('test/api/payments.test.ts')
    expect(groups.flat()).not.toContain('server/platform/phone.test.ts')
  })

  it('follows imports lazily', () => {
    expect(testsFor('client/features/orders/orders.page.tsx', importers).flat()).toContain(
      'client/app/app.test.tsx',
    )
  })

  it('excludes browser tests', () => {
    expect(testsFor('server/main.ts', importers).flat()).not.toContain('test/journeys/way.full.test.ts')
  })

  it('includes the contract of a store', () => {
    expect(importersOf('server/features/orders/orders.store.ts', importers)).toContain(
      'server/features/orders/orders.store.contract.ts',
    )
  })
})
