import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
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

  it('reads the report beside a warning of npm, and fails', async () => {
    const folder = freshFolder()
    const npm = join(folder, 'npm')
    await writeFile(npm, `#!/bin/sh\necho 'npm warn: an old setting' >&2\necho '${report('critical')}'\n`)
    await chmod(npm, 0o755)
    const script = fileURLToPath(new URL('check-audit.mjs', import.meta.url))
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; stderr: string }>()
    execFile(process.execPath, [script], { env }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
    expect(await promise).toEqual({ code: 1, stderr: `critical: ${sentence}\n` })
  })
})
