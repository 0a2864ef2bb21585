import { format } from 'node:util'

/** What the running test must not say: lines of the console and of a gateway's log. */
interface Complaints {
  said: string[]
  expected: RegExp[]
}

// On globalThis, because the runner may load this file as a part of a set-up file and again for a test that imports it.
const key = Symbol.for('amtiati.complaints')
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

/** jsdom's own messages about what it does not implement (scrolling, pseudo-elements, navigation) are ignored. */
const limitsOfJsdom = /^(Error: )?Not implemented: /

const levels = ['error', 'warn'] as const

/**
 * Begins a test: what is written to `console.error` and `console.warn` is a complaint. React reports missing keys, updates
 * outside act() and invalid markup only there.
 * @returns the end of the test, which throws with the messages that were not expected and those that did not come
 */
export function watchComplaints(): () => void {
  complaints.said = []
  complaints.expected = []
  const { console } = globalThis
  const own = { error: console.error, warn: console.warn }
  for (const level of levels)
    console[level] = (...args: unknown[]) => {
      const text = format(...args)
      if (!limitsOfJsdom.test(text)) complain(`console.${level}: ${text}`)
    }
  return () => {
    Object.assign(console, own)
    const { said, expected } = complaints
    const faults = [
      ...said
        .filter((line) => !expected.some((pattern) => pattern.test(line)))
        .map((line) => `unexpected console output: ${line}`),
      ...expected
        .filter((pattern) => !said.some((line) => pattern.test(line)))
        .map((pattern) => `missing console output: ${pattern}`),
    ]
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }
}
