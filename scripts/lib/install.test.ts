import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installPackages, nodeNotice } from './install.mjs'

/** A fake npm: many warnings, then the given end. */
const npmThat = (end: string) => [
  '-e',
  `for (let i = 0; i < 300; i += 1) console.error('npm warn EBADENGINE'); ${end}`,
]

let out: string[]
let err: string[]
beforeEach(() => {
  out = []
  err = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void out.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void err.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('installPackages', () => {
  it('prints two lines, and no warning of npm', async () => {
    await installPackages(process.execPath, npmThat(''))
    expect(out).toEqual([
      'Installing packages, Node and PostgreSQL (one to three minutes)…',
      expect.stringMatching(/^Installed in \d+ s\.$/),
    ])
    expect(err).toEqual([])
  })

  it('prints the whole output of npm when it fails', async () => {
    const failing = npmThat("console.error('npm error EINTEGRITY'); process.exitCode = 7")
    await expect(installPackages(process.execPath, failing)).rejects.toThrow('npm ci ended with code 7')
    expect(err.join().match(/EBADENGINE/g)).toHaveLength(300)
    expect(err.join()).toContain('npm error EINTEGRITY')
  })

  it('prints nothing more when it is stopped', async () => {
    const stopped = npmThat("process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)")
    await expect(installPackages(process.execPath, stopped)).rejects.toThrow('npm ci was stopped.')
    expect(err).toEqual([])
  })
})

describe('the Node of the machine', () => {
  it.each([
    ['26.10.0', undefined],
    ['27.1.0', undefined],
    ['20.19.2', /^This machine has Node 20\.19\.2\. .*Node 26/],
  ])('%s starts the commands', (version, notice) => {
    if (notice === undefined) expect(nodeNotice(version)).toBeUndefined()
    else expect(nodeNotice(version)).toMatch(notice)
  })

  it('is refused in one sentence below 20', () => {
    expect(() => nodeNotice('18.20.4')).toThrow('This needs Node 20 or newer. This machine has Node 18.20.4.')
  })
})
