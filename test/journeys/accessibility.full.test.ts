import { languagesOrOne } from '#test/kit/basics/full-run.ts'
import { wrongsOf } from '#test/kit/browser/accessibility.ts'
import { expect, test } from '#test/kit/browser/journey.ts'
import { siteForFile } from '#test/kit/browser/site.ts'
import { typed } from '#test/pictures/fixtures.ts'
import { scenes } from '#test/pictures/scenes.ts'
import { type People, peopleOf, stageOf } from '#test/pictures/stage.ts'

/** The scenes of `npm run pictures`: each state of a page that looks different. */

const site = siteForFile({ env: { OTP_SENDS_PER_PHONE: '1000/1m' } })
/** States of failure: what the browser and the app then write to the console. */
const failures =
  /^Failed to load resource|^(checkout failed|payment widget failed|logout)|Failed to fetch dynamically imported module|Unable to preload CSS|error occurred when fetching the script/

for (const language of languagesOrOne('ar'))
  test.describe(`a state passes WCAG 2.2 AA and shows one language: ${language}`, () => {
    let people: People

    test.beforeAll(async () => {
      people = await peopleOf(site.stack, language)
    })

    for (const { name, who, play } of scenes.filter(({ on }) => on !== 'paper'))
      test(`${name}`, async () => {
        const visit = await site.open({ language })
        visit.expectConsole(failures)
        await play(await stageOf(visit.page, site.stack, people[who], language))
        expect(await wrongsOf(visit.page, name, { language, typed })).toEqual([])
      })
  })
