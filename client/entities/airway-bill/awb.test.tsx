// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { AirwayBill } from './awb.tsx'
import { barsOf } from './barcode.tsx'

const awb = '290012345678'

it('draws a bar for every run of ones, after ten modules of white', () => {
  expect(barsOf('1101')).toBe('M10 0h2v1h-2zM13 0h1v1h-1z')
  expect(barsOf('000')).toBe('')
})

it('draws a Code 128 in digit pairs: start, six pairs, check and stop', () => {
  renderPage(<AirwayBill awb={awb} downloadHref="/label.pdf" />)
  const barcode = screen.getByRole('img', { name: textOf('awb', 'barcode', { awb }) })
  // 11 modules a symbol and 13 for the stop, with ten of white on both sides.
  const modules = 11 * (1 + 6 + 1) + 13
  expect(barcode.getAttribute('viewBox')).toBe(`0 0 ${modules + 20} 1`)
  // Start code C is 11010011100.
  expect(barcode.querySelector('path')?.getAttribute('d')).toMatch(/^M10 0h2v1h-2zM13 0h1v1h-1zM16 0h3v1h-3z/)
})

it('copies the number, and announces it', async () => {
  const user = userEvent.setup()
  renderPage(<AirwayBill awb={awb} downloadHref="/label.pdf" />)
  await user.click(screen.getByRole('button', { name: textOf('awb', 'copy') }))
  expect((await screen.findByRole('status')).textContent).toBe(textOf('awb', 'copied'))
  await expect(navigator.clipboard.readText()).resolves.toBe(awb)
})
