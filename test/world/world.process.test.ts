import { describe, expect, it } from 'vitest'
import { inFull, isFull } from '#test/kit/full-run.ts'
import { patienceMs } from '#test/kit/patience.ts'
import { world } from './command.ts'

const worlds = isFull ? 5_000 : 12

describe('simulated worlds', () => {
  it(
    `keep every promise in ${worlds} of them`,
    async () => {
      const { code, out } = await world('--seeds', String(worlds))
      expect(out.split('\n').at(-1), out).toBe(`${worlds} worlds, 0 broken`)
      expect(code).toBe(0)
    },
    worlds * patienceMs,
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
