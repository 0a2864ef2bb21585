import type { Page } from 'playwright-core'

/** Waits for fonts, and for animations of lists and toasts; not for spinners, which never end. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  // antd marks what is about to appear by a class, some frames before its animation begins.
  await page.waitForFunction(
    () =>
      document.querySelector('[class*="-enter"], [class*="-appear"]') === null &&
      document
        .getAnimations()
        .every(
          ({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
        ),
  )
}

/**
 * What is wrong with the layout on screen, one line each: wider than the screen, cut text, a word over more than two lines,
 * a toast over what it speaks of, a control of the desk too small for a finger, and, with `isAtHand`, a primary action out of
 * view. Runs in the page: it may use nothing
 * from outside of its body.
 */
export function layoutFaults(isAtHand: boolean): string[] {
  const faults = new Set<string>()
  const { scrollWidth, clientWidth, clientHeight } = document.documentElement
  const front = [...document.querySelectorAll('dialog:modal, .ant-modal-wrap')].at(-1) ?? document.body
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const inWords = (element: Element) => `“${(element.textContent ?? '').trim().slice(0, 40)}”`
  const isCutSideways = (line: { left: number; right: number }, edge: { left: number; right: number }) =>
    line.left < edge.left - 2 || line.right > edge.right + 2

  if (scrollWidth > clientWidth + 1) faults.add(`${scrollWidth} px wide: ${widest()}`)
  const texts = document.createTreeWalker(front, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) checkText(node)
  checkFields()
  // The desk's; on other screens fingers have what is drawn for them.
  if (matchMedia('(pointer: coarse)').matches) checkControls()
  if (isAtHand) {
    checkActions()
    checkToast()
  }
  return [...faults]

  /** The innermost elements beyond the edge of the page. */
  function widest(): string {
    const page = document.documentElement.getBoundingClientRect()
    const isBeyond = (element: Element) => {
      const { left, right } = element.getBoundingClientRect()
      return isShown(element) && (left < page.left - 1 || right > page.right + 1)
    }
    const beyond = [...document.body.querySelectorAll(':not(svg *)')].filter(isBeyond)
    return beyond
      .filter((element) => ![...element.children].some(isBeyond))
      .map((element) => `${element.tagName.toLowerCase()}.${element.className} ${inWords(element)}`)
      .join(', ')
  }

  function checkText(node: Node): void {
    const holder = node.parentElement
    const text = node.nodeValue?.trim() ?? ''
    // Meant for screen readers, or shown by the focus only.
    const isHidden = (element: Element) =>
      !isShown(element) || element.closest('.visually-hidden, a[href="#content"], svg') !== null
    if (holder === null || text === '' || isHidden(holder)) return
    const range = document.createRange()
    range.selectNodeContents(node)
    const parts = [...range.getClientRects()]
    const lines = new Set(parts.map(({ top }) => Math.round(top)))
    // A link's address has as many lines as it needs.
    const isWord = !/\s|:\/\//.test(text)
    // One pixel wide: hidden from the eye only.
    if (isWord && lines.size > 2 && holder.getBoundingClientRect().width > 1)
      faults.add(`broken: ${inWords(holder)}`)
    if (parts.some((line) => isCut(line, holder))) faults.add(`cut: ${inWords(holder)}`)
  }

  /** True when a line of text leaves a box that hides what does not fit, or the screen sideways. */
  function isCut(line: DOMRect, holder: Element): boolean {
    for (let box: Element | null = holder; box !== null && box !== document.body; box = box.parentElement) {
      const isCutHere = isCutBy(box, line)
      if (isCutHere !== undefined) return isCutHere
      if (getComputedStyle(box).position === 'fixed') break
    }
    return line.left < -1 || line.right > clientWidth + 1
  }

  /** Undefined when the box around this one decides. */
  function isCutBy(box: Element, line: DOMRect): boolean | undefined {
    const { overflowX, overflowY } = getComputedStyle(box)
    const edge = box.getBoundingClientRect()
    // Hidden from the eye only.
    const isPoint = edge.width <= 1 && edge.height <= 1
    if (isPoint || /auto|scroll/.test(overflowX + overflowY)) return false
    // The font's own height is more than the line's: of a line that is cut off, its middle is.
    const middle = (line.top + line.bottom) / 2
    const isCutOff = middle < edge.top || middle > edge.bottom
    if (/hidden|clip/.test(overflowX) && isCutSideways(line, edge)) return true
    return /hidden|clip/.test(overflowY) && isCutOff ? true : undefined
  }

  function checkFields(): void {
    for (const field of front.querySelectorAll<HTMLInputElement>(
      'input:not([type=radio], [type=checkbox], [type=file])',
    ))
      if (isShown(field) && field.scrollWidth > field.clientWidth + 1)
        faults.add(`cut: “${field.value || field.placeholder}”`)
  }

  function checkControls(): void {
    for (const control of front.querySelectorAll(
      '.ant-btn, .ant-input, .ant-segmented, .ant-radio-group > label, .ant-dropdown-menu-item',
    )) {
      const { height } = control.getBoundingClientRect()
      if (isShown(control) && height < 43.5) faults.add(`${Math.round(height)} px high: ${inWords(control)}`)
    }
  }

  function checkActions(): void {
    const isInView = (element: Element) => {
      const { top, bottom, left, width, height } = element.getBoundingClientRect()
      if (top < -1 || bottom > clientHeight + 1) return false
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there !== null && (element.contains(there) || there.contains(element))
    }
    const actions = [...front.querySelectorAll('[data-look="primary"]:not(:disabled)')].filter(isShown)
    if (actions.length > 0 && !actions.some(isInView))
      faults.add(`out of view: ${actions.map(inWords).join(', ')}`)
  }

  function checkToast(): void {
    const toast = document.querySelector('[data-toast]')?.getBoundingClientRect()
    if (toast === undefined) return
    for (const element of front.querySelectorAll(':is(main, dialog) :is(h1, h2, label, p, button)')) {
      const { top, bottom } = element.getBoundingClientRect()
      const isCovered = top < toast.bottom - 4 && bottom > toast.top
      if (isCovered && isShown(element) && element.closest('[data-toast], .visually-hidden') === null)
        faults.add(`under the toast: ${inWords(element)}`)
    }
  }
}
