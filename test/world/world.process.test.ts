import { describe, expect, it } from 'vitest'
import { inFull } from '#test/kit/basics/in-full.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { world } from './command.ts'

describe('simulated worlds', () => {
  // Each night has 5,000 more (.github/workflows/ci.yml).
  it(
    'keep every promise in twelve of them',
    async () => {
      const { code, out } = await world('--seeds', '12')
      expect(out.split('\n').at(-1), out).toBe('12 worlds, 0 broken')
      expect(code).toBe(0)
    },
    12 * patienceMs,
  )

  it('are the same for the same seed', async () => {
    const story = () => world('--story', '--from', '3')
    const [first, second] = [await story(), await story()]
    expect(first.out).toContain('is signed in')
    expect(second.out).toBe(first.out)
  })

  inFull(
    'lose no picture of thirty bags, half of them taken off line, and show none to another owner',
    async () => {
      const { code, out } = await world('--bags', '30', '--from', '3', '--seeds', '1')
      expect(out.split('\n').at(-1), out).toBe('1 worlds, 0 broken')
      expect(code).toBe(0)
    },
  )

  inFull('keep every promise on PostgreSQL', async () => {
    const { code, out } = await world('--postgres', '--seeds', '4')
    expect(out.split('\n').at(-1), out).toBe('4 worlds, 0 broken')
    expect(code).toBe(0)
  })
})
