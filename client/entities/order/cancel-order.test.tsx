// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Page } from '#client/ui/page.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { orderOf } from '#test/builders/answer.builder.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { CancelOrder } from './cancel-order.tsx'
import { keepingOrders } from './kept-orders.queries.ts'
import { ownKeptOrders, readKeptOrders } from './kept-orders.ts'

const t = (key: string, values?: Record<string, unknown>) => textOf('cancel-order', key, values)

const paid = orderOf({ transactionId: '990011', amount: 50, cancellable: true })
const cancelled: Order = {
  ...paid,
  status: 'CANCELLED',
  cancellable: false,
  refund: { state: 'pending', amount: 50, reason: 'cancelled' },
}
const path = 'POST /api/orders/42/cancel'
const answer = { body: { success: true, order: cancelled } }
const onChanged = vi.fn()

const page = (order: Order) => (
  <Page title="Order">
    <a href="/">Elsewhere</a>
    <CancelOrder order={order} onChanged={onChanged} />
  </Page>
)
const show = (order: Order = paid) => renderPage(page(order))
const opener = () => screen.getByRole('button', { name: t('open') })
const dialog = () => within(screen.getByRole('dialog', { name: t('title') }))
const confirm = () => dialog().getByRole('button', { name: t('confirm.paid') })
const keep = () => dialog().getByRole('button', { name: t('keep') })

beforeEach(() => {
  onChanged.mockReset()
  localStorage.clear()
})

it('three presses before the first is on screen send one request', async () => {
  const calls = stubGateway({ [path]: answer })
  show()
  await userEvent.click(opener())
  const button = confirm()
  act(() => {
    for (const _ of [1, 2, 3]) button.click()
  })
  await waitFor(() => expect(onChanged).toHaveBeenCalled())
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

describe('an order', () => {
  it.each([false, undefined])('that cannot be cancelled has no button (%s)', (cancellable) => {
    const { cancellable: _, ...rest } = paid
    show(cancellable === undefined ? rest : { ...rest, cancellable })
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('that is paid says before it is cancelled what goes back, when, and that no bag may travel', async () => {
    stubGateway({})
    show()
    await userEvent.click(opener())
    const text = screen.getByRole('dialog').textContent
    expect(text).toContain(t('paid.amount', { amount: 'SAR\u00a050.00' }))
    expect(text).toContain(t('paid.days', { days: 14 }))
    expect(text).toContain(t('paid.bag'))
    // Enter must not cancel by accident.
    expect(document.activeElement).toBe(keep())
  })

  it('that was returned in part says what is left', async () => {
    stubGateway({})
    show({ ...paid, refund: { state: 'done', amount: 20, reason: 'operator' } })
    await userEvent.click(opener())
    expect(screen.getByRole('dialog').textContent).toContain(t('paid.rest', { amount: 'SAR\u00a030.00' }))
  })

  it('that is unpaid is told that a payment still goes back', async () => {
    stubGateway({ [path]: { body: { success: true, order: { ...cancelled, refund: undefined } } } })
    show({ ...paid, status: 'PENDING_PAYMENT', payable: true })
    await userEvent.click(opener())
    expect(dialog().getByText(t('unpaid'))).toBeTruthy()
    await userEvent.click(dialog().getByRole('button', { name: t('confirm.unpaid') }))
    await waitFor(() => expect(onChanged).toHaveBeenCalledOnce())
  })
})

describe('the dialog', () => {
  it('keeps the order, and returns the focus', async () => {
    const calls = stubGateway({})
    show()
    await userEvent.click(opener())
    await userEvent.click(keep())
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(opener())
    expect(calls).toEqual([])
  })

  it('sends one request for a double press, with a key, and closes', async () => {
    const calls = stubGateway({ [path]: answer })
    show()
    await userEvent.click(opener())
    await userEvent.dblClick(confirm())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.filter((call) => call.path.endsWith('/cancel'))).toHaveLength(1)
    expect(onChanged).toHaveBeenCalledOnce()
  })

  it('takes the pass off the phone, whether or not the page can be loaded again', async () => {
    ownKeptOrders(7)
    await keepingOrders(Promise.resolve(paid), (order) => [order], '42')
    expect(readKeptOrders()?.orders).toHaveLength(1)
    stubGateway({ [path]: answer })
    show()
    await userEvent.click(opener())
    await userEvent.click(confirm())
    await waitFor(() => expect(readKeptOrders()?.orders).toEqual([]))
  })

  it('says that nothing was sent without a connection, and sends nothing', async () => {
    const calls = stubGateway({})
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    show()
    await userEvent.click(opener())
    expect(dialog().getByRole('alert').textContent).toContain(t('offline'))
    await userEvent.click(confirm())
    expect(calls).toEqual([])
    expect(keep()).toBeTruthy()
  })

  it('stays open when no answer came, and tries again under the same key', async () => {
    let isDown = true
    const keys: (string | undefined)[] = []
    stubGateway({
      [path]: (request) => {
        keys.push(request.headers['idempotency-key'])
        return isDown ? problem(503, 'OVERLOADED', 'Later') : answer
      },
    })
    show()
    await userEvent.click(opener())
    await userEvent.click(confirm())
    expect((await dialog().findByRole('alert')).textContent).toContain('Later')
    isDown = false
    await userEvent.click(confirm())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('shows why it was refused, has the page read again, and offers nothing more', async () => {
    stubGateway({ [path]: problem(409, 'ALREADY_HANDED_OVER', 'A bag has been handed over.') })
    show()
    await userEvent.click(opener())
    await userEvent.click(confirm())
    expect((await dialog().findByRole('alert')).textContent).toContain('A bag has been handed over.')
    expect(dialog().queryByRole('button', { name: t('confirm.paid') })).toBeNull()
    expect(onChanged).toHaveBeenCalledOnce()
    await userEvent.click(dialog().getByRole('button', { name: t('close') }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the focus', () => {
  const elsewhere = () => screen.getByRole('link')

  it('stays where it is when the page renders again after an order was kept', async () => {
    const { rerender } = show()
    await userEvent.click(opener())
    await userEvent.click(keep())
    elsewhere().focus()
    rerender(page({ ...paid }))
    expect(document.activeElement).toBe(elsewhere())
  })

  it('goes to the heading once, when the button is gone with what it cancelled', async () => {
    stubGateway({ [path]: answer })
    const { rerender } = show()
    await userEvent.click(opener())
    await userEvent.click(confirm())
    await waitFor(() => expect(onChanged).toHaveBeenCalled())
    rerender(page(cancelled))
    const heading = screen.getByRole('heading')
    await waitFor(() => expect(document.activeElement).toBe(heading))
    heading.blur()
    rerender(page({ ...cancelled }))
    expect(document.activeElement).toBe(document.body)
  })
})
