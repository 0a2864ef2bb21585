import { expect, it } from 'vitest'
import { isFailure } from '#server/platform/errors.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { manualClock } from '#test/kit/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/databases.ts'
import { agent, center } from '#test/kit/orders.ts'
import { openStops, replaceBy } from '#test/kit/stops.ts'

const text = { ar: 'موقوف اليوم.', en: 'Stopped today.' }

forEachEngine((_engine, open) => {
  it('of two who replace the same stops at once one is told whose stand', async () => {
    const clock = manualClock()
    const stops = openStops(await open(clock), { agents: [agent], centers: [center] })
    for (let round = 1; round <= raceRounds; round += 1) {
      const { revision } = await stops.list()
      const answers = await atOnce(2, (index) =>
        replaceBy(stops, `Lead ${index}`, { stops: [{ what: 'all', text }], revision }, clock.now()).then(
          () => 'done',
          (error: unknown) => (isFailure(error, 'STOPS_CHANGED') ? error.details.values?.who : String(error)),
        ),
      )
      const winner = answers.indexOf('done')
      expect(answers[1 - winner]).toBe(`Lead ${winner}`)
      const [stop] = (await stops.list()).stops
      expect(stop?.by).toBe(`Lead ${winner}`)
      await replaceBy(stops, 'Lulwa', { stops: [] }, clock.now())
    }
  })
})
