// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { reloadDocument } from '#client/platform/document.ts'
import { setLanguage } from '#client/platform/i18n.ts'
import { expectConsole } from '#test/kit/basics/complaints.ts'
import { stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { Providers } from './providers.tsx'

vi.mock(import('#client/platform/document.ts'), async (load) => ({
  ...(await load()),
  reloadDocument: vi.fn(),
}))

function BrokenFrame(): never {
  throw new Error('the frame is broken')
}

it.each(['ar', 'en'] as const)(
  'an error in the frame shows words and a reload, and is reported: %s',
  async (language) => {
    expectConsole(/the frame is broken/)
    vi.mocked(reloadDocument).mockReset()
    const calls = stubGateway({ 'POST /api/reports': { status: 204, body: undefined } })
    await setLanguage(language)
    render(<Providers router={BrokenFrame} />)
    screen.getByRole('heading', { level: 1, name: textOf('shell', 'failure.title') })
    expect(screen.getByRole('alert').textContent).toContain(textOf('platform', 'unexpected'))
    await userEvent.setup().click(screen.getByRole('button', { name: textOf('ui', 'tryAgain') }))
    await waitFor(() => expect(reloadDocument).toHaveBeenCalledTimes(1))
    // The same error is reported once.
    if (language === 'ar') expect(calls.map(({ path }) => path)).toEqual(['/api/reports'])
  },
)
