import { formatMomentInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import textStyles from '#client/ui/text.module.css'

/** The time of the last event of a bag. */
export function LastSeen({ at }: { readonly at: string }) {
  const { t } = useTranslation('journey')
  const language = useLanguage()
  return (
    <p className={textStyles.quiet}>
      {t('lastSeen')} <time dateTime={at}>{formatMomentInBoth(at, language)}</time>
    </p>
  )
}
