import { describe, expect, it } from 'vitest'
import { patienceMs } from '#test/kit/patience.ts'
import { world } from './command.ts'

describe('simulated worlds', () => {
  it('are the same for the same seed', async () => {
    const story = () => world('--story', '--from', '3')
    const [first, second] = [await story(), await story()]
    expect(first.out).toContain('is signed in')
    expect(second.out).toBe(first.out)
  })

  it(
    'find a fault that was put back, and tell its story',
    async () => {
      // From the first world on that finds it today.
      const { code, out } = await world('--plant', 'W1', '--from', '9', '--seeds', '60', '--jobs', '1')
      expect(out).toMatch(/^world \d+: every paid order has exactly one label per bag/)
      expect(out).toMatch(/the courier answers oddly: .*\n(.*\n)*.*pays with/)
      expect(code).toBe(1)
    },
    60 * patienceMs,
  )
})
