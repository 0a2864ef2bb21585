// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Button } from './button.tsx'
import { Ltr } from './ltr.tsx'
import { Note } from './note.tsx'

/** As a browser that translates: the text nodes leave the document, and elements take their place. */
function translate(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode() !== null) found.push(texts.currentNode as Text)
  for (const text of found) {
    if (text.parentElement?.closest('[translate="no"]')) continue
    const font = document.createElement('font')
    font.textContent = `⟦${text.data}⟧`
    text.replaceWith(font)
  }
}

const show = (isSending: boolean) => (
  <>
    <Button icon={isSending ? undefined : 'tick'}>{isSending ? 'Sending…' : 'Send'}</Button>
    <Note icon={isSending ? 'clock' : undefined}>{isSending ? 'Wait' : 'Ready'}</Note>
    <p>
      <Ltr>{isSending ? 'OD-43' : 'OD-42'}</Ltr>
    </p>
  </>
)

it('a text that changes beside an icon that comes or goes is the new one, also where the browser has translated it', () => {
  const { rerender } = render(show(false))
  translate()
  expect(document.body.textContent).toBe('⟦Send⟧⟦Ready⟧OD-42')
  rerender(show(true))
  expect(screen.getByRole('button').textContent).toBe('Sending…')
  expect(document.body.textContent).toBe('Sending…WaitOD-43')
  translate()
  rerender(show(false))
  expect(document.body.textContent).toBe('SendReadyOD-42')
})
