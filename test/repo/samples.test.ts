import { basename, dirname } from 'node:path'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { readRepoFile, repoFiles, repoRoot } from '#test/kit/repo/repo-files.ts'

const samples = repoFiles('shared/wire', /\/samples\/.+\.json$/)
const wires = [...new Set(samples.map((sample) => dirname(dirname(sample))))]
const wireOf = (folder: string) => `${folder}/${basename(folder)}.wire.ts`

async function schemasOf(folder: string): Promise<TSchema[]> {
  const exported: Record<string, unknown> = await import(`${repoRoot}${wireOf(folder)}`)
  // Schemas are the exports with a capital first letter; paths, codes and limits begin in lower case.
  return Object.entries(exported)
    .filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'object')
    .map(([, schema]) => schema as TSchema)
}

describe('samples of the services', () => {
  it('come from all of them', () => {
    expect(wires.map((folder) => basename(folder)).sort()).toEqual([
      'messaging',
      'otp',
      'payment',
      'shipping',
      'tracking',
      'wallet',
    ])
  })

  it.each(samples)('%s fits a schema of its wire', async (path) => {
    const sample: unknown = JSON.parse(readRepoFile(path))
    const schemas = await schemasOf(dirname(dirname(path)))
    expect(schemas.length).toBeGreaterThan(3)
    expect(schemas.some((schema) => Value.Check(schema, sample))).toBe(true)
  })

  it.each(wires)('%s has a test that reads every sample of the folder', (folder) => {
    const test = readRepoFile(wireOf(folder).replace('.wire.ts', '.wire.test.ts'))
    expect(test).toContain('wireSamples(import.meta.url')
  })
})
