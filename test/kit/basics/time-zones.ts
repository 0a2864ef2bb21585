import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Where the product and its pilgrims are: the Kingdom, the largest nation of pilgrims, and one that is a day behind. */
const timeZones = ['Asia/Riyadh', 'Asia/Jakarta', 'America/New_York'] as const

/** Runs `tests` once with the clock of this process, server or phone, set to each time zone. */
export function inEachTimeZone(tests: () => void): void {
  describe.each(timeZones)('with the clock set to %s', (timeZone) => {
    let before: string | undefined
    beforeAll(() => {
      before = process.env.TZ
      process.env.TZ = timeZone
    })
    afterAll(() => {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    })

    it('has that time zone', () => {
      const noonInRiyadh = new Date('2027-01-15T09:00:00.000Z')
      expect(noonInRiyadh.getHours()).toBe(
        { 'Asia/Riyadh': 12, 'Asia/Jakarta': 16, 'America/New_York': 4 }[timeZone],
      )
    })

    tests()
  })
}
