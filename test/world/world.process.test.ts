import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isFull } from '#test/kit/full-run.ts'
import { repoRoot } from '#test/kit/repo-files.ts'

const run = promisify(execFile)

/** What `npm run world` prints, and its exit code. */
async function world(...args: readonly string[]): Promise<{ code: number; text: string }> {
  const ended = run(process.execPath, ['test/world/main.ts', ...args], { cwd: repoRoot })
  return ended.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, text: error.stdout }),
  )
}

const worlds = isFull ? 300 : 14

describe('simulated worlds', () => {
  it(`keep every promise in ${worlds} of them`, async () => {
    const { code, text } = await world('--seeds', String(worlds))
    expect(text.trimEnd().split('\n').at(-1), text).toBe(`${worlds} worlds, 0 broken`)
    expect(code).toBe(0)
  })

  it('are the same for the same seed', async () => {
    const story = () => world('--story', '--from', '3')
    const [first, second] = [await story(), await story()]
    expect(first.text).toContain('is signed in')
    expect(second.text).toBe(first.text)
  })

  it('find a fault that was put back, and tell its story', async () => {
    const { code, text } = await world('--plant', 'W1', '--from', '1', '--seeds', '1')
    expect(text).toContain(
      'world 1: every paid order has exactly one label per bag, and no unpaid order has one',
    )
    expect(text).toMatch(/the courier answers oddly: text-in-200\n(.*\n)*.*pays with/)
    expect(code).toBe(1)
  })
})
