// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import {
  notSignedIn,
  renderPage,
  type StubResponse,
  stubGateway,
  textOf,
} from '#test/kit/client/render-page.tsx'
import { AppRoutes } from './router.tsx'

it('after a payment a tag in outline, with its spinner, stands for the page until both session calls have ended', async () => {
  const held = Promise.withResolvers<StubResponse>()
  const calls = stubGateway({
    'GET /api/auth/user': () => held.promise,
    'GET /api/auth/agent': () => held.promise,
  })
  renderPage(<AppRoutes />, { at: paths.thankYou({ success: true, merchantOrderId: 42 }) })
  await screen.findByText(textOf('shell', 'checking'))
  expect(document.querySelector('main [data-loading]')).toBeTruthy()
  expect(calls.every(({ path }) => !path.startsWith('/api/orders'))).toBe(true)
  expect(document.body.textContent).not.toContain(textOf('pass', 'booked'))
  held.resolve(notSignedIn)
})
