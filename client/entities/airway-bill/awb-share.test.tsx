// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPage, stubNavigator, textOf } from '#test/kit/client/render-page.tsx'
import { AirwayBillActions } from './awb.tsx'

const awb = '290012345678'
/** Followed and preceded by nothing that is copied with it. */
const bareNumber = expect.stringMatching(new RegExp(`(^|[\\w\\s.:])${awb}$`))
const none = async () => undefined
const t = (key: string) => textOf('awb', key)

it('shares by WhatsApp without a share sheet, with the bare number', () => {
  renderPage(<AirwayBillActions awb={awb} makePicture={none} />, { language: 'ar' })
  const link = screen.getByRole('link', { name: t('share') })
  const url = new URL(link.getAttribute('href') ?? '')
  expect(url.origin).toBe('https://wa.me')
  expect(url.searchParams.get('text')).toEqual(bareNumber)
  expect(url.searchParams.get('text')).toContain('أمتعتي')
})

it('shares by the system’s share sheet where supported, and closing it is no failure', async () => {
  const share = vi.fn(() => Promise.reject(new DOMException('closed', 'AbortError')))
  stubNavigator({ share })
  renderPage(<AirwayBillActions awb={awb} makePicture={none} />)
  await userEvent.click(screen.getByRole('button', { name: t('share') }))
  expect(share).toHaveBeenCalledWith({ text: bareNumber })
})

it('prints the page', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  renderPage(<AirwayBillActions awb={awb} makePicture={none} />)
  await userEvent.click(screen.getByRole('button', { name: t('print') }))
  expect(print).toHaveBeenCalledOnce()
})

it('shares a picture where the share sheet takes files, made before the tap', async () => {
  const picture = new File(['png'], `AWB-${awb}.png`, { type: 'image/png' })
  const makePicture = vi.fn(async () => picture)
  const share = vi.fn(async () => undefined)
  stubNavigator({ share, canShare: () => true })
  renderPage(<AirwayBillActions awb={awb} makePicture={makePicture} />)
  await waitFor(() => expect(makePicture).toHaveBeenCalled())
  await userEvent.click(screen.getByRole('button', { name: t('share') }))
  expect(share).toHaveBeenCalledWith({ files: [picture] })
})

it('shares the text when the picture cannot be made', async () => {
  const share = vi.fn(async () => undefined)
  stubNavigator({ share, canShare: () => true })
  renderPage(<AirwayBillActions awb={awb} makePicture={() => Promise.reject(new Error('no canvas'))} />)
  await userEvent.click(screen.getByRole('button', { name: t('share') }))
  expect(share).toHaveBeenCalledWith({ text: bareNumber })
})
