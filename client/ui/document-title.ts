import { useEffect } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'

/** Names the document after the page, then the product. Without a page title the product and its tagline stand. */
export function useDocumentTitle(title?: string): void {
  const language = useLanguage()
  useEffect(() => {
    document.title = `${title ?? brand.tagline[language]} | ${brand.name[language]}`
  }, [title, language])
}
