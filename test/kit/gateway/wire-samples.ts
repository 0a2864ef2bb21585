import { readdirSync, readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'

/**
 * The samples beside the test of a wire. Each fits the schemas of its name or, where the name is not listed, of the part
 * before its first dot. Returns their names, and a reader.
 */
export function wireSamples(test: string, schemas: Readonly<Record<string, TSchema | readonly TSchema[]>>) {
  const folder = new URL('./samples/', test)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const readSample = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
  const keyOf = (name: string) => (name in schemas ? name : (name.split('.')[0] ?? ''))

  describe('the samples', () => {
    it('cover every schema, and nothing else', () => {
      expect(new Set(names.map(keyOf))).toEqual(new Set(Object.keys(schemas)))
    })

    it.each(names)('%s fits its schema, also with unknown fields', (name) => {
      const sample = readSample(name)
      for (const schema of [schemas[keyOf(name)] ?? []].flat()) {
        expect([...Value.Errors(schema, sample)]).toEqual([])
        if (!Array.isArray(sample))
          expect(Value.Check(schema, { ...sample, added_next_year: { at: 1 } })).toBe(true)
      }
    })
  })
  return { names, readSample }
}
