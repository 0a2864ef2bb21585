import { formatDateTime } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import textStyles from '#client/ui/text.module.css'

/** The time of the last event of a bag. */
export function LastSeen({ at }: { readonly at: string }) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  return (
    <p className={textStyles.quiet}>
      {t('lastSeen')} <time dateTime={at}>{formatDateTime(at, language)}</time>
    </p>
  )
}
