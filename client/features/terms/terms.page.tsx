import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { LoadedConfig, useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import styles from './terms.module.css'
import { TermsSections } from './terms-sections.tsx'

/** The current terms of carriage. The page shows them completely or not at all. */
export function TermsPage() {
  const { t } = useTranslation('terms')
  return (
    <Page title={t('title')} width="table" className={styles.terms}>
      <p className={styles.lead}>{t('lead')}</p>
      <Terms />
    </Page>
  )
}

function Terms() {
  const config = useConfig()
  const { isError, error, refetch } = useQuery(configQuery)
  if (config !== undefined)
    return (
      <LoadedConfig value={config}>
        <TermsSections />
      </LoadedConfig>
    )
  return isError ? <FailureState problem={error} onRetry={() => void refetch()} /> : <Loading />
}
