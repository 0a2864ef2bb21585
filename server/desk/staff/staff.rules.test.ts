import { describe, expect, it } from 'vitest'
import { nextPage, outcomeOfError, queryOf, rolesOf, withOutcome } from './staff.rules.ts'

describe('the page that a sign-in leads to', () => {
  it.each(['/desk', '/desk/', '/desk/orders/OD-5604?x=1&y=2', '/desk/work/bags', '/desk?a=/b'])(
    'may be %s',
    (page) => expect(nextPage(page)).toBe(page),
  )

  it.each([
    ...[
      'https://evil.example/desk',
      '//evil.example/desk',
      '/\\evil.example/desk',
      '/\t/evil.example',
      'desk',
    ],
    ...[
      '/desk/..//evil.example',
      '/desk/../account',
      '/deskx',
      '/',
      '',
      '/desk/sign-in',
      '/desk/callback?code=1',
    ],
    ...[
      'javascript:alert(1)',
      '/desk/%2e%2e/account',
      'http:/desk',
      '/desk/./sign-in',
      undefined,
      ['/desk/a'],
      7,
    ],
  ])('is the desk instead of %j', (page) => expect(nextPage(page)).toBe('/desk'))
})

it.each([
  ['/desk?signIn=other-person', '/desk'],
  ['/desk/orders?city=RUH&signIn=refused&requestId=r-1', '/desk/orders?city=RUH'],
])('the page of %s says nothing of a sign-in that was not', (page, next) => expect(nextPage(page)).toBe(next))

it('a query is everything behind the first question mark', () => {
  expect(queryOf('/desk/callback?code=a?b&state=s')).toBe('code=a?b&state=s')
  expect(queryOf('/desk/callback')).toBe('')
})

it('an outcome is added to what the page is asked with', () => {
  expect(withOutcome('/desk/orders?city=RUH', 'refused', 'r-1')).toBe(
    '/desk/orders?city=RUH&signIn=refused&requestId=r-1',
  )
  expect(withOutcome('/desk?signIn=away', 'cancelled', 'r-1')).toBe('/desk?signIn=cancelled')
})

it('what the provider refuses is told apart: the person, the provider, and all else', () => {
  expect(outcomeOfError('access_denied')).toBe('cancelled')
  expect(outcomeOfError('temporarily_unavailable')).toBe('away')
  expect(outcomeOfError('login_required')).toBe('refused')
})

it('roles are the provider’s values for ours, and no other', () => {
  const names = { support: 'grp-1', money: 'grp-2', lead: 'grp-3' }
  expect(rolesOf(['grp-3', 'grp-1', 'other', 'lead', 'money'], names)).toEqual(['support', 'lead'])
  expect(rolesOf(['GRP-1', 'grp-1 '], names)).toEqual([])
  expect(rolesOf(['/grp-1', '//grp-3', 'a/grp-3'], names)).toEqual(['support'])
  expect(rolesOf(['grp-1', '/staff/lead'], { ...names, lead: '/staff/lead' })).toEqual(['support', 'lead'])
})
