import { describe, expect, it } from 'vitest'
import { notificationOf, ownPage } from './notification.rules.ts'

const origin = 'https://amtiati.example'
const sent = {
  title: 'أمتعتي',
  body: 'حقيبتك جاهزة للاستلام.',
  lang: 'ar',
  dir: 'rtl',
  tag: 'at-branch-42-7',
  navigate: `${origin}/orders/42`,
}
const messageOf = (change: object = {}) =>
  JSON.stringify({ web_push: 8030, notification: { ...sent, ...change } })

describe('a push message', () => {
  it('is shown as it was sent, and opens its order', () => {
    const { title, body, lang, dir, tag } = sent
    expect(notificationOf(messageOf(), origin)).toEqual({
      title,
      options: { body, lang, dir, tag, data: { url: `${origin}/orders/42` } },
    })
  })

  it.each([undefined, '', 'text', 'null', '[]', '{"notification":null}', '{"notification":"x"}'])(
    'that cannot be read is shown all the same: %s',
    (message) => {
      expect(notificationOf(message, origin)).toEqual({
        title: 'amtiati.example',
        options: { body: '', data: { url: `${origin}/orders` } },
      })
    },
  )

  it('with fields of other types is shown without them', () => {
    const message = messageOf({ body: 5, dir: 'up', lang: null, tag: {}, navigate: 7 })
    expect(notificationOf(message, origin)).toEqual({
      title: sent.title,
      options: { body: '', data: { url: `${origin}/orders` } },
    })
  })
})

it.each([
  'https://evil.example/orders/42',
  '//evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://amtiati.example/',
  'https://',
  undefined,
])('a press opens no other site: %s', (address) => {
  expect(ownPage(address, origin)).toBe(`${origin}/orders`)
})

it('a press opens a page of the app, also by its path', () => {
  expect(ownPage('/orders/42', origin)).toBe(`${origin}/orders/42`)
})
