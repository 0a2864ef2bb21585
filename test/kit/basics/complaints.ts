import { format } from 'node:util'

/** Lines of the console and of a gateway's log that the running test has caused and may cause. */
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
 * Begins a test: each line of `console.error` and `console.warn` counts as a complaint. React reports missing keys, updates
 * outside act() and invalid markup only there.
 * @returns a function that ends the test. It throws an error with each unexpected line and each missing one
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
