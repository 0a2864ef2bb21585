import { useEffect } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'

/** The document is named after the page. */
export function useTitle(title: string): void {
  const { t } = useTranslation('desk')
  useEffect(() => {
    document.title = `${title} · ${t('name')}`
  }, [title, t])
}
