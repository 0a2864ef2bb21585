import { describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { personNameMaxLength } from '#shared/sessions/person-name.ts'
import { problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import { canonical, openFixture, phone, rightCode, send, signUp } from '#test/kit/gateway/sign-in-fixture.ts'

const unprintable = 'Sara\ue000'
const long = 'x'.repeat(personNameMaxLength + 1)

describe('the name of a user', () => {
  it('can be corrected, and the session shows the new one', async () => {
    const { browser, database } = await openFixture()
    await signUp(browser)
    const id = (await browser.get('/api/auth/user')).json.userId
    const { status, json } = await browser.patch('/api/auth/user', {
      name: '  Sa\u0301ra  \u200f علی\u200cزاده\u202e ',
    })
    const user = {
      id,
      name: 'Sára علی\u200cزاده',
      phone: canonical,
      messages: true,
      email: null,
    }
    expect([status, json]).toEqual([200, { success: true, user }])
    expect((await browser.get('/api/auth/user')).json).toMatchObject({ name: user.name })
    await browser.patch('/api/auth/user', { name: user.name })
    expect(await listEvents({ database }, 'user_id', [Number(id)])).toMatchObject([
      { kind: 'account-changed', data: { change: 'name' }, by: { kind: 'owner' } },
    ])
  })

  it.each([
    ['', 'NAME_REQUIRED'],
    ['  ', 'NAME_REQUIRED'],
    [unprintable, 'NAME_INVALID'],
    [long, 'NAME_TOO_LONG'],
    ['123', 'NAME_INVALID'],
  ])('cannot be corrected to %j', async (name, code) => {
    const { browser } = await openFixture()
    await signUp(browser)
    const before = (await browser.get('/api/auth/user')).json
    const answer = await browser.patch('/api/auth/user', { name })
    expect(problemOf(answer)).toMatchObject({ status: 400, code })
    expect(refusedFieldsOf(answer)).toEqual(['name'])
    expect((await browser.get('/api/auth/user')).json).toEqual(before)
  })

  it('that is too long is refused with its limit', async () => {
    const { browser } = await openFixture()
    const { json } = await browser.post('/api/auth/request-otp', { phone, name: long })
    expect(json).toMatchObject({ code: 'NAME_TOO_LONG', message: expect.stringContaining('80') })
    expect(json.fields).toEqual([{ field: 'name', message: json.message }])
  })

  it('is refused before a code is sent and before one is compared', async () => {
    const { browser, otp } = await openFixture()
    const asked = await browser.post('/api/auth/request-otp', { phone, name: unprintable })
    expect(problemOf(asked)).toMatchObject({ status: 400, code: 'NAME_INVALID' })
    expect(otp.sends).toEqual([])

    await send(browser)
    const verified = await browser.post('/api/auth/verify-otp', { phone, code: rightCode, name: unprintable })
    expect(problemOf(verified)).toMatchObject({ status: 400, code: 'NAME_INVALID' })
    expect(otp.checks).toEqual([])
  })
})
