import { describe, expect, it } from 'vitest'
// @ts-expect-error plain JavaScript
import { classify } from './check-audit.mjs'

const report = (severity: string) =>
  JSON.stringify({
    vulnerabilities: {
      fastify: {
        name: 'fastify',
        severity,
        via: [{ title: 'A hole', url: 'https://github.com/advisories/GHSA-1' }, 'other'],
      },
    },
    metadata: { vulnerabilities: { total: 1 } },
  })
const sentence = 'fastify: A hole (https://github.com/advisories/GHSA-1); by other'

describe('the audit of dependencies', () => {
  it('fails on a critical advisory, and names it', () => {
    expect(classify(report('critical'))).toEqual({ failures: [`critical: ${sentence}`], notes: [] })
  })

  it.each(['high', 'moderate', 'low', 'info'])('only notes a %s advisory', (severity) => {
    expect(classify(report(severity))).toEqual({ failures: [], notes: [`${severity}: ${sentence}`] })
  })

  it.each(['', '<html>502 Bad Gateway</html>', '{"statusCode":405,"error":{"summary":""}}'])(
    'notes that the service was not reached: %s',
    (answer) => {
      expect(classify(answer)).toEqual({ failures: [], notes: [expect.stringContaining('not reached')] })
    },
  )
})
