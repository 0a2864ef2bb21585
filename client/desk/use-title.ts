import { useEffect } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'

/** Sets the title of the document. */
export function useTitle(title: string): void {
  const { t } = useTranslation('desk')
  useEffect(() => {
    document.title = `${title} · ${t('name')}`
  }, [title, t])
}
