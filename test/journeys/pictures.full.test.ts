import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { layoutFaults, untilStill } from '#test/pictures/layout-faults.ts'
import { scenes } from '#test/pictures/scenes.ts'
import { type People, peopleOf, stageOf } from '#test/pictures/stage.ts'

/** A sample of `npm run pictures`: a small phone, text twice as large, and a wide screen. */

const site = siteForFile()

/** Of each kind of page the state with the most on it. */
const sample = [
  'home',
  'booking-chosen',
  'booking-agents-open',
  'thank-you-paid',
  'order-not-accepted',
  'order-exception',
  'shared-in-transit',
  'orders',
  'agent-orders-bar',
  'agent-scan-receive',
]
const views = [
  { name: 'a small phone', width: 390, size: { width: 360, height: 640 }, isLarge: false },
  { name: 'a small phone with text at 200 %', width: 390, size: { width: 360, height: 640 }, isLarge: true },
  { name: 'a wide screen', width: 1280, size: { width: 1280, height: 800 }, isLarge: false },
] as const

/** As in the browser's settings. */
async function doubleText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}

describe.each(languagesOrOne('ar'))('in %s', (language) => {
  let people: People

  beforeAll(async () => {
    people = await peopleOf(site.stack, language)
  })

  describe.each(views)('on $name', ({ width, size, isLarge }) => {
    it.each(sample)('%s has no fault of layout', async (name) => {
      const scene = scenes.find((each) => each.name === name)
      if (scene === undefined) throw new Error(`there is no scene ${name}`)
      const { page } = await site.open({ language, width })
      await page.setViewportSize(size)
      if (isLarge) await doubleText(page)
      await scene.play(await stageOf(page, site.stack, people[scene.who], language))
      await untilStill(page)
      expect(await page.evaluate(layoutFaults, !isLarge)).toEqual([])
    })
  })
})
