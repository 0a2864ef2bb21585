// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { problem, renderPage, type StubbedRoute, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AirwayBillActions, LabelLink } from './awb.tsx'
import { barsOf, wholePixelWidth } from './barcode.rules.ts'
import { Barcode } from './barcode.tsx'

const awb = '290012345678'

it('draws a bar for every run of ones, after ten modules of white', () => {
  expect(barsOf('1101')).toBe('M10 0h2v1h-2zM13 0h1v1h-1z')
  expect(barsOf('000')).toBe('')
})

it('draws a Code 128 in digit pairs: start, six pairs, check and stop', () => {
  renderPage(<Barcode awb={awb} />)
  const barcode = screen.getByRole('img', { name: textOf('awb', 'barcode', { awb }) })
  // 11 modules a symbol and 13 for the stop, with ten of white on both sides.
  const modules = 11 * (1 + 6 + 1) + 13
  expect(barcode.getAttribute('viewBox')).toBe(`0 0 ${modules + 20} 1`)
  // Start code C is 11010011100.
  expect(barcode.querySelector('path')?.getAttribute('d')).toMatch(/^M10 0h2v1h-2zM13 0h1v1h-1zM16 0h3v1h-3z/)
})

it.each([
  // Phones of 360 px at two and three device pixels, and a desktop.
  [312, 2, 302.5],
  [344, 3, (8 * 121) / 3],
  [424, 1, 363],
  // Never less than a device pixel per module.
  [60, 1, 121],
])('fits %i px at a ratio of %i with whole device pixels per module: %f px', (available, ratio, width) => {
  expect(wholePixelWidth(121, available, ratio)).toBe(width)
})

describe('the download', () => {
  const path = `GET /api/orders/barcode/${awb}.pdf`
  const link = () => screen.getByRole('link', { name: textOf('awb', 'download') })

  it('has no effect and says so while the file is missing, and becomes ready under the focus', async () => {
    const calls = stubGateway({})
    const page = renderPage(<LabelLink awb={awb} isPending />)
    expect(screen.getByRole('link', { description: textOf('awb', 'labelPending') })).toBe(link())
    expect([link().hasAttribute('href'), link().getAttribute('aria-disabled')]).toEqual([false, 'true'])
    await userEvent.tab()
    await userEvent.click(link())
    page.rerender(<LabelLink awb={awb} isPending={undefined} />)
    expect(document.activeElement).toBe(link())
    expect(link().getAttribute('href')).toBe(`/api/orders/barcode/${awb}.pdf?download=1`)
    expect(link().hasAttribute('aria-disabled')).toBe(false)
    expect(screen.queryByText(textOf('awb', 'labelPending'))).toBeNull()
    expect(calls).toEqual([])
  })

  it.each([
    ['the file is not there', problem(503, 'LABEL_NOT_READY', 'Not there yet.'), () => 'Not there yet.', 1],
    ['the session has ended', problem(401, 'NOT_SIGNED_IN', 'Please sign in.'), () => 'Please sign in.', 1],
    ['the server fails', { status: 502, body: 'html' }, () => textOf('platform', 'unexpected'), 0],
    ['there is no network', () => undefined, () => textOf('platform', 'unreachable'), 0],
  ])(
    'says beside the link why it failed: %s',
    async (_, answer: StubbedRoute, text: () => string, refreshes) => {
      const calls = stubGateway({ [path]: answer })
      const onDownload = vi.fn()
      renderPage(<LabelLink awb={awb} isPending={undefined} onDownload={onDownload} />)
      expect(calls).toEqual([])
      await userEvent.click(link())
      expect((await screen.findByRole('alert')).textContent).toBe(text())
      expect(onDownload).toHaveBeenCalledTimes(refreshes)
    },
  )

  it('says nothing of a file that can be read', async () => {
    const calls = stubGateway({ [path]: { body: '%PDF-1.7' } })
    const onDownload = vi.fn()
    renderPage(<LabelLink awb={awb} isPending={undefined} onDownload={onDownload} />)
    await userEvent.click(link())
    await waitFor(() => expect(onDownload).toHaveBeenCalledOnce())
    expect(calls).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

it('copies the number, and announces it', async () => {
  const user = userEvent.setup()
  renderPage(<AirwayBillActions awb={awb} makePicture={async () => undefined} />)
  await user.click(screen.getByRole('button', { name: textOf('awb', 'copy') }))
  expect((await screen.findByRole('status')).textContent).toBe(textOf('awb', 'copied'))
  await expect(navigator.clipboard.readText()).resolves.toBe(awb)
})

it('says when the browser refuses to copy', async () => {
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  renderPage(<AirwayBillActions awb={awb} makePicture={async () => undefined} />)
  await user.click(screen.getByRole('button', { name: textOf('awb', 'copy') }))
  expect((await screen.findByText(textOf('awb', 'notCopied'))).getAttribute('role')).toBe('status')
})

it('ends its announcement of a copy after four seconds, so that the next one is announced, too', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  renderPage(<AirwayBillActions awb={awb} makePicture={async () => undefined} />)
  const status = screen.getByRole('status')
  for (let count = 0; count < 2; count += 1) {
    await user.click(screen.getByRole('button', { name: textOf('awb', 'copy') }))
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(status.textContent).toBe(textOf('awb', 'copied'))
    await act(() => vi.advanceTimersByTimeAsync(4_000))
    expect(status.textContent).toBe('')
  }
})
