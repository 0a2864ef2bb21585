import { type RefObject, useEffect, useRef } from 'react'

// The browser announces the first page itself; moving the focus there would skip the top bar.
let hasShownPage = false

/** A ref for a page's h1, which is focused when the page appears, so that screen readers announce it. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(!hasShownPage)
  useEffect(() => {
    hasShownPage = true
    if (!isFirst.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
