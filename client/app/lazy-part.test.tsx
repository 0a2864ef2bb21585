// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { lazyPart } from './lazy-part.ts'
import { PageBoundary } from './page-failure.tsx'

it('a chunk that failed offline shows the reason, and loads on retry', async () => {
  expectConsole(/the line broke/)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  let attempts = 0
  const Part = lazyPart(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('the line broke')
    return ({ name }: { name: string }) => <p>{name}</p>
  })
  renderPage(
    <PageBoundary>
      <Part name="Amina" />
    </PageBoundary>,
  )
  expect(await screen.findByText(textOf('shell', 'needsConnection.text'))).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: textOf('ui', 'tryAgain') }))
  expect(await screen.findByText('Amina')).toBeTruthy()
  expect(attempts).toBe(2)
})

it('styles that failed in a preload are requested again, and awaited, when the chunk is loaded', async () => {
  const styles = document.createElement('link')
  styles.rel = 'stylesheet'
  document.head.append(styles)
  onTestFinished(() => document.head.querySelector('link')?.remove())
  let attempts = 0
  const Part = lazyPart(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('the line broke')
    return () => <p>Amina</p>
  })
  const failed = Part.preload()
  styles.dispatchEvent(new Event('error'))
  await expect(failed).rejects.toThrow('the line broke')

  // Ends when React has rendered all that it can.
  await act(async () => {
    renderPage(
      <PageBoundary>
        <Part />
      </PageBoundary>,
    )
  })
  expect(attempts).toBe(2)
  expect(screen.queryByText('Amina')).toBeNull()

  const again = document.head.querySelector('link')
  expect(again).not.toBe(styles)
  again?.dispatchEvent(new Event('load'))
  expect(await screen.findByText('Amina')).toBeTruthy()
})

it('a chunk that is loaded before the first render shows no fallback', async () => {
  const Part = lazyPart(async () => ({ name }: { name: string }) => <p>{name}</p>)
  await Part.preload()
  renderPage(<Part name="Amina" />)
  expect(screen.getByText('Amina')).toBeTruthy()
})

it('a part on screen stays mounted when its chunk is loaded again', async () => {
  const Part = lazyPart(async () => () => <input aria-label="name" />)
  const view = renderPage(
    <PageBoundary>
      <Part />
    </PageBoundary>,
  )
  const field = await screen.findByRole('textbox')
  await Part.preload()
  view.rerender(
    <PageBoundary>
      <Part />
    </PageBoundary>,
  )
  expect(screen.getByRole('textbox')).toBe(field)
})
