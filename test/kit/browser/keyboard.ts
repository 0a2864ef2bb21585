import type { Locator, Page } from 'playwright-core'
import { expect } from './journey.ts'

/** More tab stops than any page has. */
const mostStops = 90

export interface Keyboard {
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Presses Tab until `target` has the focus. Every stop on the way must be in the viewport and show its focus. */
  tabTo(target: Locator): Promise<void>
  /** Waits until `target` has the focus, without pressing a key. */
  expectFocus(target: Locator): Promise<void>
  /** True when the focus is in `dialog`, or in the browser's own controls, which come after its last and before its first control. */
  isKeptIn(dialog: Locator): Promise<boolean>
}

/** Uses a page by keyboard alone. */
export function keyboardOf(page: Page): Keyboard {
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element === element.ownerDocument.activeElement && document.hasFocus())

  return {
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    async tabTo(target) {
      await target.waitFor({ state: 'attached' })
      for (let stop = 0; stop < mostStops; stop += 1) {
        if (await hasFocus(target)) return
        await page.keyboard.press('Tab')
        // A field may be animated: check it when the animation has ended.
        await expect.poll(() => page.evaluate(focusWrong)).toBe('')
      }
      throw new Error(`the focus never came to ${target}`)
    },
    expectFocus: (target) => expect.poll(() => hasFocus(target)).toBe(true),
    isKeptIn: (dialog) =>
      dialog.evaluate(
        (element) => document.activeElement === document.body || element.contains(document.activeElement),
      ),
  }
}

/** Runs in the page: the faults of the focused element; empty when there are none. */
function focusWrong(): string {
  let element = document.activeElement
  // The card widget lives in a shadow root: seen from outside, its host has the focus.
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  // No element: the focus is in the browser's own controls. A frame: its document shows the focus.
  if (element === null || element === document.body || element instanceof HTMLIFrameElement) return ''
  const name = `${element.tagName.toLowerCase()} «${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}»`
  // antd's Segmented draws the label of a radio button that has no size.
  const isDrawn = element.getBoundingClientRect().width > 0
  const drawn = isDrawn ? element : (element.closest('label') ?? element)
  const { left, top, width, height } = drawn.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + Math.min(height / 2, 24)]
  const isInSight = width > 0 && height > 0 && x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight
  if (!isInSight) return `${name} is out of sight`

  // An ancestor may draw the control, as antd's Select does for its input.
  const drawnBy = [element]
  for (let each = element.parentElement; each !== null && drawnBy.length < 4; each = each.parentElement)
    drawnBy.push(each)
  const hit = document.elementFromPoint(x, y)
  const isCovered =
    hit === null || !(element.contains(hit) || drawnBy.some((each) => each === hit || each.contains(hit)))
  if (isCovered) return `${name} is covered by ${hit?.className ?? 'nothing'}`

  // The name of an agent's row has its ring on `::after`, which is as large as the row.
  const styles = [...drawnBy.map((each) => getComputedStyle(each)), getComputedStyle(element, '::after')]
  const isShown = styles.some(
    ({ outlineStyle, outlineWidth, boxShadow }) =>
      (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
  )
  return isShown ? '' : `${name} does not show that it has the focus`
}
