import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach } from 'vitest'
import '#client/desk/texts.ts'
import '#client/desk/signed-in.tsx'
import { Desk } from '#client/desk/desk.tsx'
import { addTexts } from '#client/platform/i18n.ts'
import { renderPage, type StubbedRoute, stubGateway } from './render-page.tsx'

/*
 * Renders the desk in jsdom, signed in, against a stubbed gateway.
 */

// Missing in jsdom; antd asks for the width of the window. Without motion: jsdom ends no animation.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: media.includes('reduced-motion'),
    onchange: null,
  }) as unknown as MediaQueryList

beforeAll(async () => {
  for (const language of ['ar', 'en'] as const) await addTexts(language, 'desk')
})
beforeEach(() => window.sessionStorage.clear())

const later = new Date(Date.now() + 30 * 60_000).toISOString()
const signedIn = (...roles: string[]) => ({
  body: { success: true, staff: { name: 'سارة', roles, idleUntil: later, endsAt: later } },
})

export function openDesk(
  at: string,
  answers: Readonly<Record<string, StubbedRoute>>,
  { language = 'en' as 'ar' | 'en', roles = ['support'], hasTransitions = false } = {},
) {
  // biome-ignore lint/suspicious/noDocumentCookie: as the gateway sets it
  document.cookie = `desk-here_${window.location.port || '80'}=1; path=/; max-age=60`
  const calls = stubGateway({ 'GET /api/desk/me': signedIn(...roles), ...answers })
  const page = renderPage(<Desk outcome={undefined} />, { at, language, hasTransitions })
  const { where, goBack, unmount: leave } = page
  return { calls, person: userEvent.setup(), where, goBack, leave }
}
