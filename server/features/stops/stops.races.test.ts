import { expect, it } from 'vitest'
import { listStops } from '#server/desk/stops/desk-stops.ts'
import { isFailure } from '#server/platform/errors.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { agent, center } from '#test/kit/orders/orders.ts'
import { partnerWith } from '#test/kit/orders/partner.ts'
import { replaceBy } from '#test/kit/orders/stops.ts'

const text = { ar: 'موقوف اليوم.', en: 'Stopped today.' }

forEachEngine((_engine, open) => {
  it('of two who replace the same stops at once one reads whose stand', async () => {
    const clock = manualClock()
    const providers = { partner: partnerWith([agent], [center]) }
    const core = await openCore({ database: await open(clock), clock }, { providers })
    for (let round = 1; round <= raceRounds; round += 1) {
      const { revision } = await listStops(core)
      const answers = await atOnce(2, (index) =>
        replaceBy(core, `Lead ${index}`, { stops: [{ what: 'all', text }], revision }).then(
          () => 'done',
          (error: unknown) => (isFailure(error, 'STOPS_CHANGED') ? error.details.values?.who : String(error)),
        ),
      )
      const winner = answers.indexOf('done')
      expect(answers[1 - winner]).toBe(`Lead ${winner}`)
      const [stop] = (await listStops(core)).stops
      expect(stop?.by).toBe(`Lead ${winner}`)
      await replaceBy(core, 'Lulwa', { stops: [] })
    }
  })
})
