import { expect, it } from 'vitest'
import type { Log } from './logging.ts'
import { logFailures } from './telemetry.ts'

it('a collector that fails is logged once until it takes something again', () => {
  const lines: unknown[] = []
  const note = (line: unknown) => void lines.push(line)
  const log: Log = { info: note, warn: note, error: note }
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const answers = [undefined, lost, lost, undefined, undefined, new Error('Timeout')]
  const exporter = {
    export: (_: unknown, done: (result: { readonly code: number; readonly error?: Error }) => void) => {
      const error = answers.shift()
      done(error ? { code: 1, error } : { code: 0 })
    },
  }
  logFailures(exporter, 'traces', log)
  const results: unknown[] = []
  while (answers.length > 0) exporter.export([], ({ code }) => results.push(code))
  expect(lines).toEqual([
    { event: 'telemetry.not-sent', what: 'traces', reason: 'ECONNREFUSED' },
    { event: 'telemetry.sent-again', what: 'traces' },
    { event: 'telemetry.not-sent', what: 'traces', reason: 'Timeout' },
  ])
  expect(results).toEqual([0, 1, 1, 0, 0, 1])
})
