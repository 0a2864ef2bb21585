import { describe, expect, it } from 'vitest'
import { waitInWords } from './waiting.ts'

describe('waitInWords', () => {
  it.each([
    [0, 'ثانية واحدة', '1 second'],
    [1, 'ثانية واحدة', '1 second'],
    [2, 'ثانيتين', '2 seconds'],
    [9.2, '10 ثوانٍ', '10 seconds'],
    [40, '40 ثانية', '40 seconds'],
    [60, 'دقيقة واحدة', '1 minute'],
    [100, '100 ثانية', '100 seconds'],
    [119, '119 ثانية', '119 seconds'],
    [120, 'دقيقتين', '2 minutes'],
    [121, '3 دقائق', '3 minutes'],
    [11 * 60, '11 دقيقة', '11 minutes'],
    [3_600, 'ساعة واحدة', '1 hour'],
    [5_400, '90 دقيقة', '90 minutes'],
    [7_200, 'ساعتين', '2 hours'],
    [7_201, '3 ساعات', '3 hours'],
    [86_400, '24 ساعة', '24 hours'],
  ])('says %i seconds', (seconds, ar, en) => {
    expect(waitInWords(seconds)).toEqual({ ar, en })
  })
})
