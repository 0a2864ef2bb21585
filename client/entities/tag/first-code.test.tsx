// @vitest-environment jsdom
import { readFile } from 'node:fs/promises'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { barsOf } from '#client/entities/airway-bill/barcode.rules.ts'
import { modulesOf } from '#client/entities/airway-bill/barcode.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { renderPage, stubGateway } from '#test/kit/client/render-page.tsx'
import { LoadingTag } from './luggage-tag.tsx'

let script: string
beforeAll(async () => {
  const sources = ['before-app-order', 'before-app'].map((name) => readFile(`client/${name}.js`, 'utf8'))
  script = (await Promise.all(sources)).join('')
})
afterEach(() => {
  window.firstCode = undefined
  window.history.replaceState(null, '', '/')
  document.head.replaceChildren()
  document.body.replaceChildren()
})

/** The document of an order's page, before the app runs. Resolves when the order has been read. */
async function openDocument(order: Order): Promise<HTMLElement> {
  window.history.replaceState(null, '', '/orders/42')
  document.head.innerHTML =
    '<meta name="first-calls" content="/api/auth/user /api/auth/agent /api/orders/:id">'
  document.body.innerHTML =
    '<div id="served"><div data-loading aria-hidden="true"><span data-code-place></span></div></div>'
  Reflect.deleteProperty(window, 'firstAnswers')
  const calls = stubGateway({
    'GET /api/auth/user': { body: { success: true, userId: 1, name: null, phone: null } },
    'GET /api/auth/agent': { body: { success: false } },
    'GET /api/orders/42': { body: { success: true, order } },
  })
  new Function(script)()
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/orders/42')).toBe(true))
  await new Promise((resolve) => setTimeout(resolve))
  return document.getElementById('served') as HTMLElement
}

describe('before the app runs', () => {
  it.each(['290012345678', '000000000000', '998877665544'])(
    'the document of a paid order draws the bars of %s as the app does, and the number',
    async (awb) => {
      await openDocument(orderOf({ bookings: [bookingOf({ awb })] }))
      const bars = await screen.findByRole('img', { name: awb })
      expect(bars.getAttribute('viewBox')).toBe('0 0 121 1')
      expect(bars.firstElementChild?.getAttribute('d')).toBe(barsOf(modulesOf(awb)))
      expect(screen.getByText(awb)).toBeTruthy()
    },
  )

  it.each<[string, Partial<Order>]>([
    ['is not paid', { status: 'PENDING_PAYMENT' }],
    ['was handed over', { bookings: [bookingOf({ state: 'HANDED_OVER' })] }],
    ['has no airway bill', { bookings: [bookingOf({ awb: null })] }],
    ['has two bags', { bookings: [bookingOf(), bookingOf({ awb: '290012345679' })] }],
  ])('nothing is drawn of an order that %s', async (_, change) => {
    const served = await openDocument(orderOf(change))
    expect(served.querySelector('svg')).toBeNull()
  })
})

it('the outline of the app keeps what the document has drawn, on the page of that order alone', async () => {
  const awb = '290012345678'
  await openDocument(orderOf({ bookings: [bookingOf({ awb })] }))
  await screen.findByText(awb)
  const { unmount } = renderPage(<LoadingTag />)
  expect(document.querySelector('#served [data-code-place]')?.textContent).toBe('')
  expect(screen.getByText(awb)).toBeTruthy()
  unmount()
  window.history.replaceState(null, '', '/orders/43')
  renderPage(<LoadingTag />)
  expect(screen.queryByText(awb)).toBeNull()
})
