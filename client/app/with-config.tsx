import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { LoadedConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { KeptLink } from './kept-links.tsx'

/** Surrounds pages that need the configuration; they read it by `useLoadedConfig`. */
export function WithConfig({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell')
  const config = useQuery(configQuery)
  if (config.data !== undefined) return <LoadedConfig value={config.data}>{children}</LoadedConfig>
  if (!config.isError) return <Loading />
  return (
    <Page title={t('failure.title')}>
      <FailureState problem={config.error} onRetry={() => void config.refetch()} />
      <KeptLink />
    </Page>
  )
}
