import { describe, expect, it } from 'vitest'
import { errors } from '#shared/errors.ts'
import type { ErrorRow } from '#shared/platform/problem.ts'
import { repoFiles, repoRoot } from '#test/kit/repo/repo-files.ts'

const rows: readonly [string, ErrorRow][] = Object.entries(errors)

const arabic = /\p{Script=Arabic}/u
const placeholdersOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe('the error catalogue', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(15)
  })

  it.each(rows)(
    '%s has a status, a level and a sentence in both languages',
    (code, { status, level, text }) => {
      expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/)
      expect(Number.isInteger(status) && status >= 400 && status < 600).toBe(true)
      expect(['info', 'warn', 'error']).toContain(level)
      expect(text.ar).toMatch(arabic)
      expect(text.en).toMatch(/[A-Za-z]/)
      expect(text.en).not.toMatch(arabic)
      expect(placeholdersOf(text.ar)).toEqual(placeholdersOf(text.en))
    },
  )

  it('logs server faults as errors or warnings', () => {
    const quiet = rows
      .filter(([, { status, level }]) => status >= 500 && level === 'info')
      .map(([code]) => code)
    // A gateway that is stopping, or that has enough streams, answers 503 on purpose.
    expect(quiet).toEqual(['CLOSING', 'TOO_MANY_STREAMS'])
  })

  it('holds the errors of every feature, and no code twice', async () => {
    const files = repoFiles('shared', /\.errors\.ts$/)
    const tables = await Promise.all(
      files.map(async (file) => {
        const exported: Record<string, unknown> = await import(`${repoRoot}${file}`)
        // By convention the table of errors.ts is `<feature>Errors`; other exports of the file are texts of fields.
        const table = Object.entries(exported).find(([name]) => name.endsWith('Errors'))?.[1]
        return Object.keys(table ?? {})
      }),
    )
    expect(tables.every((codes) => codes.length > 0)).toBe(true)
    const codes = tables.flat()
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.sort()).toEqual(rows.map(([code]) => code).sort())
  })
})
