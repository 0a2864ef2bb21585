import { useLocation } from 'react-router-dom'
import { LoadingTag } from '#client/entities/tag/luggage-tag.tsx'
import { useTranslation } from '#client/platform/i18n.ts'
import { Loading } from '#client/ui/loading.tsx'
import pageStyles from '#client/ui/page.module.css'
import { pageAt } from '#shared/platform/pages.ts'
import { routes } from './routes.ts'

/** Shown while the page of this address loads. `label`: the text of the spinner. */
export function PageWaiting({ label }: { readonly label?: string }) {
  const { t } = useTranslation('shell')
  const page = pageAt(useLocation().pathname)
  const outline = page && routes[page].outline
  if (outline === undefined) return <Loading label={label} />
  return (
    <div className={pageStyles.page}>
      <h1 className={pageStyles.title}>{t(outline === 'payment' ? 'checking' : 'yourOrder')}</h1>
      <LoadingTag />
    </div>
  )
}
