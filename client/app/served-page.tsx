import { useLayoutEffect } from 'react'
import { servedPage } from '#client/platform/document.ts'

/**
 * In the frame in which the app appears it takes the place of the served page, and carries over what its reader has done
 * there: the scroll position, the focus, what was typed and chosen, and the last press that waited for the app. `hasMoved`:
 * the app begins with another page, to which a link of the served page leads.
 */
export function ServedPageEnd({ hasMoved }: { readonly hasMoved: boolean }) {
  useLayoutEffect(() => {
    const served = servedPage()
    if (served === null) return
    const { scrollY } = window
    if (!hasMoved) {
      const carryOut = carryOver(served)
      // Wait until React has rendered the typed values.
      queueMicrotask(carryOut)
    }
    served.remove()
    window.scrollTo(0, hasMoved ? 0 : scrollY)
    if (hasMoved) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [hasMoved])
  return null
}

/** @returns what sets the caret and carries out the last press */
function carryOver(served: HTMLElement): () => void {
  const focused = document.activeElement
  const pressed = served.querySelector<HTMLElement>('[data-pressed]')
  const ofApp = (element: Element | null) => counterpartOf(element, served)
  const target = ofApp(pressed)
  const toggle = ofApp(served.querySelector('button[aria-expanded="true"]'))
  const focus = served.contains(focused) ? ofApp(focused) : undefined
  for (const field of served.querySelectorAll('input')) fillIn(ofApp(field), field)
  const caret = focused instanceof HTMLInputElement ? focused.selectionStart : null
  focus?.focus({ preventScroll: true })
  return () => {
    if (caret !== null && focus instanceof HTMLInputElement) focus.setSelectionRange(caret, caret)
    toggle?.click()
    if (target instanceof HTMLFormElement) target.requestSubmit()
    else target?.click()
  }
}

/** The app's element in place of one of the served page: a field of the same type, or an element with the same name. */
function counterpartOf(element: Element | null, served: HTMLElement): HTMLElement | undefined {
  if (element === null) return undefined
  const alike = (within: Element) =>
    [...within.querySelectorAll<HTMLElement>(kindOf(element))].filter(
      (each) => keyOf(each) === keyOf(element) && (within === served || !served.contains(each)),
    )
  return alike(document.body)[alike(served).indexOf(element as HTMLElement)]
}

const kindOf = ({ tagName }: Element) => (/^(?:A|BUTTON)$/.test(tagName) ? 'a, button' : tagName)

function keyOf(element: Element): string {
  if (element instanceof HTMLFormElement) return ''
  return element instanceof HTMLInputElement ? element.type : element.textContent.trim()
}

const setValue = Object.getOwnPropertyDescriptor(globalThis.HTMLInputElement?.prototype ?? {}, 'value')?.set

/** Fills in a field as a person does: React then notices the value and fires its handlers. */
function fillIn(
  field: HTMLElement | undefined,
  { value, defaultValue, checked, defaultChecked }: HTMLInputElement,
): void {
  if (!(field instanceof HTMLInputElement)) return
  if (checked && !defaultChecked) field.click()
  if (value === defaultValue) return
  setValue?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
