// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { paths } from '#client/platform/paths.ts'
import { notSignedIn, renderPage, type StubResponse, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { AppRoutes } from './router.tsx'

it.each([
  ['of a payment', paths.thankYou({ success: true, merchantOrderId: 42 }), 'checkingPayment'],
  ['of an order', paths.order(42), 'restoring'],
])(
  'a tag in outline, with its spinner, stands for the page %s until both session calls have ended',
  async (_, at, key) => {
    const held = Promise.withResolvers<StubResponse>()
    const calls = stubGateway({
      'GET /api/auth/user': () => held.promise,
      'GET /api/auth/agent': () => held.promise,
    })
    renderPage(<AppRoutes />, { at })
    await screen.findByText(textOf('shell', key))
    expect(document.querySelector('main [data-loading]')).toBeTruthy()
    expect(calls.every(({ path }) => !path.startsWith('/api/orders'))).toBe(true)
    expect(document.body.textContent).not.toContain(textOf('pass', 'booked'))
    held.resolve(notSignedIn)
  },
)
