import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { doubleText } from '#test/kit/browser/large-text.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { layoutFaults, untilStill } from '#test/pictures/layout-faults.ts'
import { type Scene, scenes } from '#test/pictures/scenes.ts'
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
].map(sceneNamed)
const views = [
  { name: 'a small phone', width: 390, size: { width: 360, height: 640 }, isLarge: false },
  { name: 'a small phone with text at 200 %', width: 390, size: { width: 360, height: 640 }, isLarge: true },
  { name: 'a wide screen', width: 1280, size: { width: 1280, height: 800 }, isLarge: false },
] as const

function sceneNamed(name: string): Scene {
  const scene = scenes.find((each) => each.name === name)
  if (scene === undefined) throw new Error(`there is no scene ${name}`)
  return scene
}

for (const language of languagesOrOne('ar'))
  test.describe(`in ${language}`, () => {
    let people: People

    test.beforeAll(async () => {
      people = await peopleOf(site.stack, language)
    })

    for (const { name, width, size, isLarge } of views)
      test.describe(`on ${name}`, () => {
        for (const scene of sample)
          test(`${scene.name} has no fault of layout`, async () => {
            const { page } = await site.open({ language, width })
            await page.setViewportSize(size)
            if (isLarge) await doubleText(page)
            await scene.play(await stageOf(page, site.stack, people[scene.who], language))
            await untilStill(page)
            expect(await page.evaluate(layoutFaults, !isLarge)).toEqual([])
          })
      })
  })
