import { describe, expect, it } from 'vitest'
import { inFull, isFull } from '#test/kit/full-run.ts'
import { runFile } from '#test/kit/tools.ts'

/** `npm run world` with these arguments. */
const world = (...args: readonly string[]) => runFile('test/world/main.ts', args)

const worlds = isFull ? 5_000 : 30

describe('simulated worlds', () => {
  it(`keep every promise in ${worlds} of them`, async () => {
    const { code, out } = await world('--seeds', String(worlds))
    expect(out.split('\n').at(-1), out).toBe(`${worlds} worlds, 0 broken`)
    expect(code).toBe(0)
  })

  it('keep every promise that one of them once broke', async () => {
    const { code, out } = await world('--kept')
    expect(out).toMatch(/^\d+ worlds, 0 broken$/)
    expect(code).toBe(0)
  })

  inFull('keep every promise on PostgreSQL', async () => {
    const { code, out } = await world('--postgres', '--seeds', '4')
    expect(out.split('\n').at(-1), out).toBe('4 worlds, 0 broken')
    expect(code).toBe(0)
  })

  it('are the same for the same seed', async () => {
    const story = () => world('--story', '--from', '3')
    const [first, second] = [await story(), await story()]
    expect(first.out).toContain('is signed in')
    expect(second.out).toBe(first.out)
  })

  it('find a fault that was put back, and tell its story', async () => {
    const { code, out } = await world('--plant', 'W1', '--seeds', '60', '--jobs', '1')
    expect(out).toMatch(/^world \d+: every paid order has exactly one label per bag/)
    expect(out).toMatch(/the courier answers oddly: .*\n(.*\n)*.*pays with/)
    expect(code).toBe(1)
  })
})
