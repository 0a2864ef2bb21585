import { type RefObject, useEffect, useRef } from 'react'

// The browser itself announces the first page; moving the focus then would only skip the top bar.
let hasShownPage = false

/** For the h1 of a page: it takes the focus when the page appears, so that a screen reader hears where it is. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(!hasShownPage)
  useEffect(() => {
    hasShownPage = true
    if (!isFirst.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
