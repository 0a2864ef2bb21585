// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { AirwayBill } from './awb.tsx'

const awb = '290012345678'
const isolated = `\u2066${awb}\u2069`
const t = (key: string) => textOf('awb', key)

it('shares by WhatsApp without a share sheet, with the number in Unicode isolates', () => {
  renderPage(<AirwayBill awb={awb} downloadHref="/label.pdf" />, { language: 'ar' })
  const link = screen.getByRole('link', { name: t('share') })
  const url = new URL(link.getAttribute('href') ?? '')
  expect(url.origin).toBe('https://wa.me')
  expect(url.searchParams.get('text')).toContain(isolated)
  expect(url.searchParams.get('text')).toContain('أمتعتي')
})

it('shares by the system’s share sheet where supported, and closing it is no failure', async () => {
  const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')))
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  try {
    renderPage(<AirwayBill awb={awb} downloadHref="/label.pdf" />)
    await userEvent.click(screen.getByRole('button', { name: t('share') }))
    expect(share).toHaveBeenCalledWith({ text: expect.stringContaining(isolated) })
  } finally {
    Reflect.deleteProperty(navigator, 'share')
  }
})

it('prints the page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  renderPage(<AirwayBill awb={awb} downloadHref="/label.pdf" />)
  await userEvent.click(screen.getByRole('button', { name: t('print') }))
  expect(print).toHaveBeenCalledOnce()
})
