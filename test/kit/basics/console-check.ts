import { format } from 'node:util'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Fails a test that writes to `console.error` or `console.warn`. React reports missing keys, updates outside act() and
 * invalid markup only there. Unhandled rejections fail the run by themselves.
 */

/** jsdom's own messages about what it does not implement (scrolling, pseudo-elements, navigation) are ignored. */
const limitsOfJsdom = /^(Error: )?Not implemented: /

interface Complaints {
  said: string[]
  expected: RegExp[]
}

// On globalThis, because the runner may load this file as a set-up file and again for a test that imports it.
const key = Symbol.for('amtiati.console-check')
const holder = globalThis as { [key]?: Complaints }
holder[key] ??= { said: [], expected: [] }
const complaints: Complaints = holder[key]

/** Expects a message that matches `pattern`. The test fails when none does by its end. */
export function expectConsole(pattern: RegExp): void {
  complaints.expected.push(pattern)
}

/** Fails the test that is running. */
export function complain(text: string): void {
  complaints.said.push(text)
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
  expect(surprising, 'unexpected console output').toEqual([])
  expect(missing, 'missing console output').toEqual([])
})
