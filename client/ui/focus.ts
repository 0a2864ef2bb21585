/*
 * The rule for moving the focus:
 * 1. A form is refused: to its first invalid control.
 * 2. A part appears after a press: to its start.
 * 3. The focused control is removed: to the start of the nearest place around it, at last to the heading of the page.
 * The start is the element marked `data-start`, else the first field, else the part itself. Dialogs give the focus back
 * themselves.
 */

const invalid = '[aria-invalid="true"], [data-invalid]'
const field = 'input:not([type="hidden"], [type="file"], [type="radio"], [type="checkbox"]), select, textarea'

/** @returns true when the focus moved: a screen reader then reads the control with its message. */
export function focusFault(part: HTMLElement | null): boolean {
  const control = part?.querySelector<HTMLElement>(invalid)
  if (!control) return false
  const isMoved = document.activeElement !== control
  control.focus()
  // The next digit replaces a refused code.
  if (control instanceof HTMLInputElement && control.dataset.retyped !== undefined) control.select()
  return isMoved
}

const controls = 'a, button, input, select, textarea, [tabindex]'
const place = 'data-focus-place'

/** The element of a part that gets the focus. */
export function startOf(part: HTMLElement): HTMLElement
export function startOf(part: HTMLElement | null): HTMLElement | null
export function startOf(part: HTMLElement | null): HTMLElement | null {
  if (part === null) return null
  const isPlace = part.hasAttribute(place)
  const find = (selector: string) =>
    [...part.querySelectorAll<HTMLElement>(selector)].find(
      (each) => !isPlace || each.closest(`[${place}]`) === part,
    )
  return find('[data-start]') ?? find(field) ?? part
}

/** For a part that appears after a press; also as its ref. */
export function takeFocus(part: HTMLElement | null): void {
  // Within the press: iOS shows its keyboard for a press alone.
  if (part !== null) startOf(part).focus()
}

/** The ref of a part whose controls may be removed while they have the focus. */
export function focusPlace(part: HTMLElement | null): (() => void) | undefined {
  if (part === null) return undefined
  part.setAttribute(place, '')
  let last: Element | null = null
  /** Around the control, the nearest first. */
  let places: HTMLElement[] = []
  const ended = new AbortController()
  const remember = ({ target }: Event) => {
    const control = target instanceof Element ? target.closest(controls) : null
    last = control
    places = [...part.ownerDocument.querySelectorAll<HTMLElement>(`[${place}]`)]
      .filter((each) => each.contains(control))
      .reverse()
  }
  part.addEventListener('focusin', remember, ended)
  // Safari does not focus a button that is pressed.
  part.addEventListener(
    'click',
    (event) => {
      if (document.activeElement === document.body) remember(event)
    },
    ended,
  )
  // Chrome reports the removal of a focused element as a loss of focus, before the element is removed.
  const forget = () => {
    if (document.activeElement === document.body && last?.isConnected) last = null
  }
  part.addEventListener('focusout', () => queueMicrotask(forget), ended)
  const changes = new MutationObserver(() => {
    if (last === null || last.isConnected) return
    last = null
    const nearest = places.find((each) => each.isConnected)
    if (nearest !== part || document.activeElement !== document.body) return
    const start = startOf(part)
    start.focus({ preventScroll: start.tabIndex < 0 })
  })
  changes.observe(part, { childList: true, subtree: true })
  return () => {
    ended.abort()
    changes.disconnect()
  }
}
