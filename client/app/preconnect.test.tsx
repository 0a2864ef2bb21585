// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { renderPage } from '#test/kit/client/render-page.tsx'
import { preconnectTo } from './preconnect.ts'

function Page({ script }: { script: string }) {
  preconnectTo(script)
  return null
}

const connected = () =>
  [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="preconnect"]')].map(({ href }) => href)

it('connects to the origin of the card widget, not to the app’s own', () => {
  renderPage(<Page script="/pixel.js" />)
  expect(connected()).toEqual([])
  renderPage(<Page script="https://cdn.example/pixel@1/main.js?v=2" />)
  expect(new Set(connected())).toEqual(new Set(['https://cdn.example/']))
})
