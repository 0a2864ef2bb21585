import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { readClaimPage } from '#server/desk/claims/claim-page.ts'
import { answerClaim, closeClaim, noteCourierAnswer } from '#server/desk/claims/desk-claims.ts'
import { eraseEvents, recordEvent } from '#server/features/history/history.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { ensureUser, markUserDeleted } from '#server/features/users/users.queries.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { isFailure } from '#server/platform/errors.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { forEachEngine, type OpenDatabase, raceRounds } from '#test/kit/database/databases.ts'
import { openClaims, press } from '#test/kit/orders/claims.ts'
import { newLeg, newOrder, storeEvents, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  eraseClaimsOfUser,
  findClaim,
  hasOpenClaim,
  listPhotos,
  markAnswered,
  markClosed,
  reopenClaim,
} from './claims.queries.ts'
import { openOwnClaim, storeClaimPhoto, withdrawClaim, writeToClaim } from './claims.ts'

/** Simultaneous openings, messages and deletions of the account, from two tabs or two gateways. */

const phone = '+966512345678'
const request = { kind: 'other', text: 'A wheel is broken.' } as const
const staff = {
  role: 'staff',
  issuer: 'https://id.example',
  subject: 'sara',
  name: 'Sara',
  roles: ['support'],
  authenticatedAt: 0,
} as const

forEachEngine(claimRaces)

function claimRaces(_engine: Engine, open: OpenDatabase): void {
  const clock = manualClock()
  let database: Database
  let core: Core
  let opened: Awaited<ReturnType<typeof openClaims>>
  let userId: number
  let orderId: number
  beforeEach(async () => {
    database = await open(clock)
    userId = (await ensureUser({ database }, phone, 'Maryam', clock.now())).id
    orderId = await storeOrder({ database }, newOrder(userId), [newLeg('AM-1')])
    await database.transaction(() => markPaid({ database }, orderId, 'T1', clock.now()))
    const [bag] = await findBookings({ database }, [orderId])
    await storeEvents(database, bag?.id ?? 0, ['collected'], clock.now())
    opened = await openClaims({ database, clock })
    core = opened.core
  })

  const codeOf = (error: unknown) => (isFailure(error) ? error.code : String(error))
  const report = (key?: string) =>
    openOwnClaim(core, userId, orderId, request, key).then(({ number }) => number, codeOf)

  it('two reports of one problem are one claim, under a key or not', async () => {
    for (let round = 1; round <= raceRounds; round += 1) {
      clock.advance(24 * 60 * 60_000)
      const number = `CL-${2 * round - 1}`
      const apart = await atOnce(4, () => report())
      expect(apart.toSorted()).toEqual(['CLAIM_OPEN', 'CLAIM_OPEN', 'CLAIM_OPEN', number].toSorted())
      await withdrawClaim(core, userId, 2 * round - 1)
      const together = await atOnce(4, () => report(`key of round ${round}`))
      expect(new Set(together)).toEqual(new Set([`CL-${2 * round}`]))
      await withdrawClaim(core, userId, 2 * round)
    }
    expect((await opened.listMessages()).filter(({ kind }) => kind === 'claim-opened')).toHaveLength(
      2 * raceRounds,
    )
  })

  it('of two of the desk who close it at once one reads who did', async () => {
    for (let round = 1; round <= raceRounds; round += 1) {
      clock.advance(24 * 60 * 60_000)
      await report()
      const people = ['Sara', 'Huda'].map((name) => ({ ...staff, subject: name, name }))
      const ends = await atOnce(2, (index) =>
        closeClaim(core, people[index] ?? staff, round, press(), {
          outcome: 'refused',
          text: 'Never ours.',
        }).then(
          () => 'done',
          (error: unknown) => (isFailure(error, 'ACTED_BEFORE') ? error.details.values?.who : String(error)),
        ),
      )
      const winner = ends.indexOf('done')
      expect(ends[1 - winner]).toBe(people[winner]?.name)
    }
  })

  it('an answer, a message and a withdrawal follow each other, and each is a step', async () => {
    await report()
    const ends = await Promise.allSettled([
      answerClaim(core, staff, 1, press(), { text: 'Here it is.', isQuestion: false }),
      writeToClaim(core, userId, 1, 'Any news?'),
      withdrawClaim(core, userId, 1),
      answerClaim(core, staff, 1, press(), { text: 'Really.', isQuestion: false }),
    ])
    const { state, events } = await readClaimPage(core, staff, 1)
    expect(events).toHaveLength(1 + ends.filter(({ status }) => status === 'fulfilled').length)
    expect(events.length).toBeGreaterThan(2)
    expect(state === 'CLOSED').toBe(events.at(-1)?.kind === 'closed')
  })

  it.each(['answer', 'close'] as const)('no %s covers what the owner writes at that moment', async (act) => {
    await report()
    const shown = async () => (await readClaimPage(core, staff, 1)).events.at(-1)?.step
    const first = press(undefined, await shown())
    const seen = () =>
      act === 'answer'
        ? answerClaim(core, staff, 1, first, { text: 'Which wheel?', isQuestion: false })
        : closeClaim(core, staff, 1, first, { outcome: 'refused', text: 'Never ours.' })
    const code = await meanwhile(
      async () => {
        const claim = await findClaim(core, 1)
        const written =
          claim &&
          (await reopenClaim(core, claim, { now: clock.now(), answerBy: clock.now(), closedSince: 0 }))
        if (written)
          await recordEvent(
            { database },
            {
              kind: 'claim-message',
              data: { personal: { text: 'Found!' } },
              by: { kind: 'owner' },
              claimId: 1,
            },
          )
      },
      () => seen().then(() => 'done', codeOf),
    )
    expect(code).toBe('DESK_CLAIM_UNREAD')
    expect((await findClaim(core, 1))?.state).toBe('OPEN')
    const second = await shown()
    await answerClaim(core, staff, 1, press(undefined, second), { text: 'Good.', isQuestion: false })
    // Only staff have written since.
    await closeClaim(core, staff, 1, press(undefined, second), { outcome: 'found', text: 'It is here.' })
  })

  /** Does `first` in a transaction that stays open while `second` begins. */
  async function meanwhile<T>(first: () => Promise<unknown>, second: () => Promise<T>): Promise<T> {
    const begun = Promise.withResolvers<void>()
    const held = database.transaction(async () => {
      await first()
      begun.resolve()
      // Long enough for a second one that does not wait.
      for (let count = 0; count < 50; count += 1) await findClaim(core, 1)
    })
    await Promise.race([begun.promise, held])
    const result = await second()
    await held
    return result
  }

  it('no photograph is added to a claim that is being closed', async () => {
    await report()
    const code = await meanwhile(
      () => markClosed(core, 1, 'refused', clock.now()),
      () => storeClaimPhoto(core, userId, { claimId: 1, number: 1 }, photoOf()).then(() => 'stored', codeOf),
    )
    expect(code).toBe('CLAIM_CLOSED')
    expect(await listPhotos(core, [1])).toEqual(new Map())
  })

  it('what staff answer while an account is deleted goes with it', async () => {
    await report()
    await meanwhile(
      async () => {
        const claim = await markAnswered(core, 1, clock.now())
        if (claim)
          await recordEvent(
            { database },
            {
              kind: 'claim-answered',
              data: { personal: { text: 'Maryam' } },
              by: { ...staff, kind: 'staff' },
              claimId: 1,
              userId,
            },
          )
      },
      () =>
        database.transaction(async () => {
          await eraseClaimsOfUser(core, userId)
          await eraseEvents({ database }, userId)
        }),
    )
    await expect(noteCourierAnswer(core, staff, 1, press(), 'To Maryam.')).rejects.toMatchObject({
      code: 'ACTION_NOT_POSSIBLE',
    })
    const { events } = await readClaimPage(core, staff, 1)
    expect(events.map(({ kind, text }) => [kind, text])).toEqual([
      ['opened', ''],
      ['answered', ''],
      ['closed', ''],
    ])
  })

  it('a claim is opened before its account is deleted, which is refused then, or not at all', async () => {
    // Like `deleteUser` of account: the deletion comes first, because it locks the user.
    const deletion = database
      .transaction(async () => {
        await markUserDeleted({ database }, userId, phone, clock.now())
        if (await hasOpenClaim(core, userId)) throw new Error('a claim is open')
      })
      .then(
        () => 'deleted',
        () => 'refused',
      )
    const ends = await Promise.all([report(), deletion])
    expect(['CL-1 refused', 'NOT_SIGNED_IN deleted']).toContain(ends.join(' '))
  })
}
