import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any page has: whoever has not arrived by then never will. */
const mostStops = 90

export interface Keyboard {
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Tabs on until something has the focus. Every stop on the way must be in sight and show that it has it. */
  tabTo(target: Locator): Promise<void>
  /** Waits until something has the focus by itself. */
  expectFocus(target: Locator): Promise<void>
  /** Where the focus is, in words, for the question whether it is inside something. */
  isInside(container: Locator): Promise<boolean>
}

/** A person who has a keyboard and nothing else. */
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
        // A field may slide into sight; what is asked is how it looks once it has come to rest.
        await expect.poll(() => page.evaluate(focusWrong), { timeout: 3_000 }).toBe('')
      }
      throw new Error(`the focus never came to ${target}`)
    },
    expectFocus: (target) => expect.poll(() => hasFocus(target), { timeout: 15_000 }).toBe(true),
    isInside: (container) => container.evaluate((element) => element.contains(document.activeElement)),
  }
}

/** Runs in the page: what is wrong with what has the focus right now; empty when nothing is. */
function focusWrong(): string {
  const element = document.activeElement
  // Between the last control and the browser's own; a frame shows the focus inside itself.
  if (element === null || element === document.body || element instanceof HTMLIFrameElement) return ''
  const name = `${element.tagName.toLowerCase()} «${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}»`
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + Math.min(height / 2, 24)]
  const isInSight = width > 0 && height > 0 && x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight
  if (!isInSight) return `${name} is out of sight`

  // A control may be drawn by what is around it, as the field of a list is.
  const drawnBy = [element]
  for (let each = element.parentElement; each !== null && drawnBy.length < 4; each = each.parentElement)
    drawnBy.push(each)
  const hit = document.elementFromPoint(x, y)
  const isCovered =
    hit === null || !(element.contains(hit) || drawnBy.some((each) => each === hit || each.contains(hit)))
  if (isCovered) return `${name} is covered by ${hit?.className ?? 'nothing'}`

  const isShown = drawnBy.some((each) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  })
  return isShown ? '' : `${name} does not show that it has the focus`
}
