import { describe, expect, it } from 'vitest'
import { rfcReader } from '#test/kit/gateway/web-push.ts'
import { isPoint, type PushOutcome, readEndpoint, resultOf } from './push.rules.ts'

describe('an address', () => {
  it.each([
    ['google', 'https://fcm.googleapis.com/fcm/send/abc:APA91b'],
    ['mozilla', 'https://updates.push.services.mozilla.com/wpush/v2/gAAAA'],
    ['apple', 'https://web.push.apple.com/QGuQ'],
    ['windows', 'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2f'],
    ['google', 'https://fcm.googleapis.com/wp/abc:APA91b'],
    ['google', 'https://FCM.googleapis.com:443/fcm/send/abc#fragment'],
  ])('of %s is known: %s', (service, endpoint) => {
    expect(readEndpoint(endpoint)).toMatchObject({ service })
  })

  it('has one spelling', () => {
    expect(readEndpoint('https://FCM.googleapis.com:443/fcm/send/abc#x')?.url).toBe(
      'https://fcm.googleapis.com/fcm/send/abc',
    )
    const spellings = ['BQY%2fA%3d', 'BQY%2FA%3D', '%42QY%2FA%3D'].map(
      (token) => readEndpoint(`https://wns2-par02p.notify.windows.com/w/?token=${token}`)?.url,
    )
    expect(new Set(spellings)).toEqual(
      new Set(['https://wns2-par02p.notify.windows.com/w/?token=BQY%2FA%3D']),
    )
  })

  it.each([
    ['percent-encoded', 'https://fcm.googleapis.com/fcm/send/%76ictim'],
    ['with a query', 'https://fcm.googleapis.com/fcm/send/victim?'.concat('x=1')],
    ['with a second token', 'https://wns2-par02p.notify.windows.com/w/?token=a&token=b'],
    ['of another call of Google', 'https://fcm.googleapis.com/v1/projects/x/messages:send'],
    ['of another call of Apple', 'https://api.push.apple.com/3/device/x'],
    ['of another call of Mozilla', 'https://updates.push.services.mozilla.com/v1/webpush/x/register'],
    ['of no browser', 'https://fcm.googleapis.com/x'],
  ])('%s is not known', (_, endpoint) => {
    expect(readEndpoint(endpoint)).toBeUndefined()
  })

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com@evil.example/x',
    'https://user:secret@fcm.googleapis.com/x',
    'https://fcm.googleapis.com./x',
    'https://evilpush.apple.com/x',
    'https://push.apple.com/x',
    'https://a.b.push.apple.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/x',
    'https://fcm.googleapis.com\\@evil.example/x',
    'https://fcm.googleapis.com\\fcm\\send\\@evil.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '',
  ])('of another host or kind is not: %s', (endpoint) => {
    expect(readEndpoint(endpoint)).toBeUndefined()
  })
})

it('the key of a browser is a point of P-256 in its one spelling', () => {
  expect(isPoint(rfcReader.p256dh)).toBe(true)
  for (const other of [`B${'A'.repeat(86)}`, `${rfcReader.p256dh.slice(0, -1)}5`])
    expect(isPoint(other), other).toBe(false)
})

describe('the result of several pushes', () => {
  const of = (...names: readonly ('accepted' | 'gone' | 'too-long' | 'refused' | 'uncertain' | 'busy')[]) =>
    resultOf(names.map((outcome): PushOutcome => (outcome === 'busy' ? { outcome, waitMs: 5 } : { outcome })))

  it('is one of the browsers that got it', () => {
    expect(of('gone', 'uncertain', 'accepted', 'busy')).toEqual({ result: 'accepted' })
  })

  it('is uncertain rather than a wait: the wait would repeat the uncertain one', () => {
    expect(of('busy', 'uncertain')).toEqual({ result: 'uncertain' })
  })

  it('waits as long as the slowest service asks', () => {
    const waits: PushOutcome[] = [
      { outcome: 'busy', waitMs: 1 },
      { outcome: 'unreachable', waitMs: 9 },
      { outcome: 'refused' },
    ]
    expect(resultOf(waits)).toEqual({ result: 'later', waitMs: 9 })
  })

  it('is refused, or none at all', () => {
    expect(of('gone', 'too-long')).toEqual({ result: 'refused' })
    expect(of('gone', 'gone')).toEqual({ result: 'none' })
    expect(of()).toEqual({ result: 'none' })
  })
})
