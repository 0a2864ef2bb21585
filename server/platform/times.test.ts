import { expect, it } from 'vitest'
import { inEachTimeZone } from '#test/kit/basics/time-zones.ts'
import { timeInWords } from './times.ts'

inEachTimeZone(() => {
  it('a time in an error is the one in Riyadh', () => {
    const { ar, en } = timeInWords(Date.parse('2027-05-18T21:30:00.000Z'))
    expect(en).toBe('19 May, 00:30')
    expect(ar).toMatch(/^19 مايو، 12:30\sص$/)
  })
})
