import { describe, expect, it } from 'vitest'
import { inFull } from '#test/kit/full-run.ts'
import { patienceMs } from '#test/kit/patience.ts'
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
})
