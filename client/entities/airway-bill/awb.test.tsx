// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
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

it('names the download by what the specification calls it, and says that it is the label', () => {
  renderPage(<LabelLink awb={awb} hasHint />)
  const link = screen.getByRole('link', {
    name: textOf('awb', 'download'),
    description: textOf('awb', 'saveLabel'),
  })
  expect(link.getAttribute('download')).toBe(`AWB-${awb}.pdf`)
})

it('copies the number, and announces it', async () => {
  const user = userEvent.setup()
  renderPage(<AirwayBillActions awb={awb} makePicture={async () => undefined} />)
  await user.click(screen.getByRole('button', { name: textOf('awb', 'copy') }))
  expect((await screen.findByRole('status')).textContent).toBe(textOf('awb', 'copied'))
  await expect(navigator.clipboard.readText()).resolves.toBe(awb)
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
