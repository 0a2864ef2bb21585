import { useEffect } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { brand } from '#shared/platform/brand.ts'

/** The document's title: page title and product name; without a page title, tagline and product name. */
export function useDocumentTitle(title?: string): void {
  const language = useLanguage()
  useEffect(() => {
    document.title = `${title ?? brand.tagline[language]} | ${brand.name[language]}`
  }, [title, language])
}
