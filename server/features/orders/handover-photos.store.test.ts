import { beforeEach, expect, it } from 'vitest'
import { daysMs } from '#server/platform/batches.ts'
import { manualClock, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openBags } from '#test/kit/orders/bags.ts'
import { reportBag } from '#test/kit/orders/core-orders.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'
import {
  deleteHandoverPhoto,
  findHandoverPhoto,
  listHandoverPhotos,
  readHandoverPhotoBytes,
  schedulePhotoDeletion,
  writeHandoverPhoto,
} from './handover-photos.queries.ts'

/** Contract of the pictures of hand-overs. */
forEachEngine((_engine, open) => {
  let bags: Awaited<ReturnType<typeof openBags>>
  const clock = manualClock(noon)

  beforeEach(async () => {
    bags = await openBags(await open(clock), clock)
  })

  const store = (bookingId: number, jpeg = new Uint8Array([1])) =>
    writeHandoverPhoto(bags.core, {
      booking_id: bookingId,
      taken_at: noon,
      stored_at: noon + 5,
      delete_at: noon + 6,
      jpeg,
    })
  const endOf = async () =>
    (await bags.core.database.tables.selectFrom('handover_photos').select('delete_at').executeTakeFirst())
      ?.delete_at

  it('the picture of a bag is replaced in place, and found by its order and its airway bill together', async () => {
    const { core } = bags
    const { orderId, bags: both } = await bags.addReady(2)
    const other = await bags.addReady()
    const [first, second] = both
    if (!first || !second) throw new Error('an order of two bags')
    await store(first.bookingId)
    await store(first.bookingId, new Uint8Array([2]))
    await store(second.bookingId, new Uint8Array([3]))
    const bytesOf = async (id: number, awb: string) => [
      ...((await findHandoverPhoto(core, id, awb))?.jpeg ?? []),
    ]
    expect([await bytesOf(orderId, first.awb), await bytesOf(orderId, second.awb)]).toEqual([[2], [3]])
    expect(await bytesOf(other.orderId, first.awb)).toEqual([])
    expect(await bytesOf(other.orderId, other.awb)).toEqual([])
    expect(await listHandoverPhotos(core, [first.bookingId, other.bookingId])).toEqual(
      new Map([[first.bookingId, noon]]),
    )
    await deleteHandoverPhoto(core, first.bookingId)
    expect(await listHandoverPhotos(core, [first.bookingId, second.bookingId])).toEqual(
      new Map([[second.bookingId, noon]]),
    )
  })

  it('the picture of a bag is kept for 180 days after its collection, and until then for 400 days', async () => {
    const { core } = bags
    const { bookingId } = await bags.addReady()
    await store(bookingId)
    const collected = noon + daysMs(3)
    await reportBag(core, bookingId, scanOf('picked-up', noon + 1, { key: 'PU' }))
    expect(await endOf()).toBe(noon + 6)
    await reportBag(core, bookingId, scanOf('collected', collected, { key: 'DL' }))
    expect(await endOf()).toBe(collected + daysMs(180))
    // The scan was late: the bag was returned to its sender.
    await reportBag(core, bookingId, scanOf('returning', collected - 1, { key: 'RT' }))
    expect(await endOf()).toBe(noon + 5 + daysMs(400))
    await schedulePhotoDeletion(core, bookingId, noon)
    expect(await endOf()).toBe(noon + daysMs(180))
  })

  it('the size of all pictures is known', async () => {
    const { core } = bags
    const { bookingId } = await bags.addReady()
    const before = await readHandoverPhotoBytes(core)
    await store(bookingId, crypto.getRandomValues(new Uint8Array(60_000)))
    expect((await readHandoverPhotoBytes(core)) - before).toBeGreaterThanOrEqual(60_000)
  })

  it('the booking takes its picture with it, as a gateway of the build before deletes it', async () => {
    const { core } = bags
    const { orderId, bookingId, awb } = await bags.addReady()
    await store(bookingId)
    const { tables } = core.database
    await tables.deleteFrom('labels').execute()
    await tables.deleteFrom('bookings').where('id', '=', bookingId).execute()
    expect(await findHandoverPhoto(core, orderId, awb)).toBeUndefined()
    expect(await tables.selectFrom('handover_photos').selectAll().execute()).toEqual([])
  })
})
