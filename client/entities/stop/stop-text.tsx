import { Link } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import type { Stop } from '#shared/platform/stop.ts'

/** The text of a sales stop: the operator's words, and what the customer can do now. */
export function StopText({ stop: { what, text } }: { readonly stop: Stop }) {
  const { t } = useTranslation('stop')
  const language = useLanguage()
  return (
    <>
      <p>{text[language]}</p>
      <p>
        <span>{t(`next.${what}`)}</span>{' '}
        <Link to={what === 'all' ? paths.orders : paths.booking}>
          {t(what === 'all' ? 'orders' : 'change')}
        </Link>
      </p>
    </>
  )
}
