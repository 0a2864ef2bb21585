import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  deleteAllSessions,
  deleteIdleSessions,
  deleteIdleSessionsOf,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertLogout,
  insertSession,
  isSignedIn,
  type SessionRow,
  touchSession,
} from './staff.queries.ts'

forEachEngine((_engine, open) => {
  let core: Core
  beforeEach(async () => {
    core = await openCore({ database: await open(), clock: manualClock(noon) })
  })

  const session = (change: Partial<SessionRow> = {}): SessionRow => ({
    token_hash: 'first',
    issuer: 'https://id.example',
    subject: 'sara',
    sid: 'S1',
    name: 'Sara',
    roles: 'support lead',
    id_token: 'sealed',
    authenticated_at: noon,
    created_at: noon,
    last_seen_at: noon,
    idle_until: noon + 30 * minute,
    ends_at: noon + 480 * minute,
    ...change,
  })
  const liveAt = async (tokenHash: string, now: number) =>
    (await findSession(core, tokenHash, now)) !== undefined

  it('finds a session until its idle limit, and longer when it was used', async () => {
    await insertSession(core, session())
    expect(await findSession(core, 'first', noon)).toEqual(session())
    expect(await liveAt('other', noon)).toBe(false)
    expect(await liveAt('first', noon + 30 * minute)).toBe(false)
    await touchSession(core, 'first', noon + 20 * minute, noon + 50 * minute)
    expect(await liveAt('first', noon + 50 * minute - 1)).toBe(true)
    expect(await findSession(core, 'first', noon)).toMatchObject({ last_seen_at: noon + 20 * minute })
  })

  it('finds none after its end, however much it is used', async () => {
    await insertSession(core, session())
    await touchSession(core, 'first', noon, noon + 600 * minute)
    expect(await liveAt('first', noon + 480 * minute - 1)).toBe(true)
    expect(await liveAt('first', noon + 480 * minute)).toBe(false)
  })

  it('ends one session, once', async () => {
    await insertSession(core, session())
    await insertSession(core, session({ token_hash: 'second' }))
    const ended = await atOnce(5, () => deleteSession(core, 'first'))
    expect(ended.filter(Boolean)).toEqual([session()])
    expect(await liveAt('second', noon)).toBe(true)
  })

  it('ends all sessions', async () => {
    await insertSession(core, session())
    await insertSession(core, session({ token_hash: 'second', subject: 'majed' }))
    expect((await deleteAllSessions(core)).map(({ token_hash }) => token_hash).sort()).toEqual([
      'first',
      'second',
    ])
    expect(await liveAt('second', noon)).toBe(false)
  })

  it('ends the sessions of a session at the provider, or of a person, and no other', async () => {
    const rows = [
      session({ token_hash: 'a' }),
      session({ token_hash: 'b', sid: 'S2' }),
      session({ token_hash: 'c', sid: null }),
      session({ token_hash: 'd', subject: 'majed', sid: 'S1' }),
      session({ token_hash: 'e', issuer: 'https://other.example' }),
    ]
    for (const row of rows) await insertSession(core, row)
    const issuer = 'https://id.example'
    const end = async (who: { subject: string | undefined; sid: string | undefined }) =>
      (await deleteSessionsOf(core, { issuer, ...who })).map((row) => row.token_hash).sort()
    // Also hers whose sign-in named no session.
    expect(await end({ subject: 'sara', sid: 'S1' })).toEqual(['a', 'c'])
    expect(await end({ subject: undefined, sid: 'S1' })).toEqual(['d'])
    expect(await end({ subject: 'sara', sid: undefined })).toEqual(['b'])
    expect(await liveAt('e', noon)).toBe(true)
  })

  it('ends what was not used for too long, of one person or a few at a time, and knows who is signed in', async () => {
    const idle = (token_hash: string, change: Partial<SessionRow> = {}) =>
      insertSession(core, session({ token_hash, ...change }))
    await idle('a', { idle_until: noon + 1 })
    await idle('b', { idle_until: noon + 2 })
    await idle('c', { idle_until: noon + 3, subject: 'majed' })
    await idle('d', { idle_until: noon + 9, issuer: 'https://other.example' })
    const sara = { issuer: 'https://id.example', subject: 'sara' }
    expect([await isSignedIn(core, sara, noon + 1), await isSignedIn(core, sara, noon + 2)]).toEqual([
      true,
      false,
    ])
    expect((await deleteIdleSessionsOf(core, sara, noon + 1)).map((row) => row.token_hash)).toEqual(['a'])
    const ended = async (limit: number) =>
      (await deleteIdleSessions(core, noon + 3, limit)).map((row) => row.token_hash)
    expect([await ended(1), await ended(5), await ended(5)]).toEqual([['b'], ['c'], []])
    expect(await liveAt('d', noon)).toBe(true)
  })

  it('accepts a log-out token once, of five at the same time too', async () => {
    const accepted = await atOnce(5, () => insertLogout(core, 'token', noon))
    expect(accepted.filter(Boolean)).toHaveLength(1)
    expect(await insertLogout(core, 'another token', noon)).toBe(true)
  })
})
