import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BundledFile } from '#test/kit/programs/bundle.ts'
import { repoRoot } from '#test/kit/repo/repo-files.ts'

/** The files that a phone with the app loads again after a release. The app is bundled twice, before and after one change. */

const execute = promisify(execFile)

async function bundle(...change: readonly string[]): Promise<readonly BundledFile[]> {
  const { stdout } = await execute(process.execPath, ['test/kit/programs/bundle.ts', ...change], {
    cwd: repoRoot,
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 10_000_000,
  })
  return JSON.parse(stdout) as readonly BundledFile[]
}

describe('a release', () => {
  let before: ReadonlyMap<string, BundledFile>
  beforeAll(async () => {
    before = new Map((await bundle()).map((file) => [file.name, file]))
  })

  it.each([
    {
      change: 'a space in the footer',
      of: ['client/app/footer.tsx', '</footer>', "{' '}</footer>"],
      files: 2,
      kilobytes: 30,
    },
    {
      change: 'a letter of the privacy policy',
      of: ['privacy/privacy.en.json', 'e', 'é'],
      files: 5,
      kilobytes: 50,
    },
  ])('with $change changes $files files and $kilobytes kB at most', async ({ of, files, kilobytes }) => {
    const changed = (await bundle(...of)).filter(({ name, hash }) => before.get(name)?.hash !== hash)
    const list = changed.map(({ name, size }) => `${name} ${size}`).join(', ')
    expect(changed.length, list).toBeGreaterThan(0)
    expect(changed.length, list).toBeLessThanOrEqual(files)
    expect(changed.reduce((sum, { size }) => sum + size, 0) / 1_000, list).toBeLessThanOrEqual(kilobytes)
  })
})
