import { expect, it } from 'vitest'
import { tourEveryState } from '#test/kit/accessibility-tour.ts'
import { languagesOrOne } from '#test/kit/full-run.ts'
import { siteForFile } from '#test/kit/site.ts'

// A stack of its own: an agent's list would show what people of other files have typed.
const site = siteForFile({ env: { OTP_SENDS_PER_PHONE: '1000/1m' } })

it.each(languagesOrOne('ar'))(
  'every state of every page passes WCAG 2.2 AA and shows one language: %s',
  async (language) => {
    const { wrongs, states } = await tourEveryState(site, language)
    expect(wrongs.join('\n')).toBe('')
    expect(states.length).toBeGreaterThanOrEqual(45)
  },
)
