// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { expectConsole } from '#test/kit/console-check.ts'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
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
  expect(await screen.findByText(textOf('platform', 'unreachable'))).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: textOf('ui', 'tryAgain') }))
  expect(await screen.findByText('Amina')).toBeTruthy()
  expect(attempts).toBe(2)
})
