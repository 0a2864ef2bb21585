import { describe, expect, it } from 'vitest'
import { openBrowser, problemOf, refusedFieldsOf } from '#test/kit/gateway/feature-app.ts'
import { canonical, openFixture, signUp } from '#test/kit/gateway/sign-in-fixture.ts'

describe.each(['user', 'agent'])('the check for a session of a %s', (role) => {
  it('answers 401 without a session', async () => {
    const { app } = await openFixture()
    expect(problemOf(await openBrowser(app).get(`/api/auth/${role}`)).status).toBe(401)
  })

  it('answers 200 with `success: false` for a probe', async () => {
    const { app } = await openFixture()
    const { status, json } = await openBrowser(app).get(`/api/auth/${role}?probe=1`)
    expect([status, json]).toEqual([200, { success: false }])
  })

  it('refuses other values of the probe and other queries', async () => {
    const { app } = await openFixture()
    expect(refusedFieldsOf(await openBrowser(app).get(`/api/auth/${role}?probe=yes`))).toEqual(['probe'])
    expect(refusedFieldsOf(await openBrowser(app).get(`/api/auth/${role}?prob=1`))).toEqual(['prob'])
  })
})

it('a probe with a session answers as the check without a probe', async () => {
  const { browser } = await openFixture()
  await signUp(browser)
  const probed = await browser.get('/api/auth/user?probe=1')
  expect(probed.json).toMatchObject({ success: true, phone: canonical })
  expect(probed.json).toEqual((await browser.get('/api/auth/user')).json)
  expect((await browser.get('/api/auth/agent?probe=1')).json).toEqual({ success: false })
})
