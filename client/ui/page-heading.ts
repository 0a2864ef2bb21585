import { type RefObject, useEffect, useRef } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'

/** The document's title: page title and product name; without a page title, tagline and product name. */
export function useDocumentTitle(title?: string): void {
  const language = useLanguage()
  useEffect(() => {
    document.title = `${title ?? brand.tagline[language]} | ${brand.name[language]}`
  }, [title, language])
}

// The browser announces the first page itself; moving the focus there would skip the top bar.
let hasShownPage = false

/** Names the document. @returns a ref for the page's h1, which is focused when it appears, so that it is announced. */
export function usePageHeading(title?: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(!hasShownPage)
  useDocumentTitle(title)
  useEffect(() => {
    hasShownPage = true
    if (!isFirst.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
