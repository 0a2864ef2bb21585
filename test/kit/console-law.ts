import { format } from 'node:util'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * The console law: a test that makes `console.error` or `console.warn` speak fails. React tells of missing keys,
 * of updates outside act() and of invalid markup only there. Unhandled rejections fail the run by themselves.
 */

/** jsdom reports what it cannot draw (scrolling, pseudo-elements, navigation); that says nothing about our code. */
const limitsOfJsdom = /^(Error: )?Not implemented: /

interface Complaints {
  said: string[]
  expected: RegExp[]
}

// On globalThis, because the runner may load this file once as a set-up file and once more for a test that imports it.
const key = Symbol.for('amtiati.console-law')
const holder = globalThis as { [key]?: Complaints }
holder[key] ??= { said: [], expected: [] }
const complaints: Complaints = holder[key]

/**
 * Announces that this test makes the console say something that fits `pattern`. The law then turns around: if nothing
 * fits by the end of the test, it fails.
 */
export function expectConsole(pattern: RegExp): void {
  complaints.expected.push(pattern)
}

const levels = ['error', 'warn'] as const

beforeEach(() => {
  complaints.said = []
  complaints.expected = []
  for (const level of levels) {
    vi.spyOn(globalThis.console, level).mockImplementation((...args: unknown[]) => {
      const text = format(...args)
      if (!limitsOfJsdom.test(text)) complaints.said.push(`console.${level}: ${text}`)
    })
  }
})

afterEach(() => {
  const { said, expected } = complaints
  const surprising = said.filter((line) => !expected.some((pattern) => pattern.test(line)))
  const missing = expected.filter((pattern) => !said.some((line) => pattern.test(line))).map(String)
  expect(surprising, 'the console stays silent').toEqual([])
  expect(missing, 'the console says what the test expects of it').toEqual([])
})
