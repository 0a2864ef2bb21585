import { useLocation } from 'react-router-dom'
import { useKeptOwner } from '#client/entities/order/kept-orders.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useScanAgent } from '#client/session/session.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Page } from '#client/ui/page.tsx'
import { crossesDocuments } from './documents.tsx'
import styles from './shell.module.css'

/** A link to the page of the orders or bags that this device keeps. Null on that page, and when the device keeps no data. */
export function KeptLink() {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const hasKeptOrders = useKeptOwner().hasOrders
  const hasScanAgent = useScanAgent() !== undefined
  if (!hasKeptOrders && !hasScanAgent) return null
  const to = hasKeptOrders ? paths.orders : paths.agentOrders
  if (pathname === to) return null
  const target = crossesDocuments(pathname, to) ? { href: to } : { to }
  return (
    <p className={styles.guardKept}>
      <ButtonLink {...target}>{t(hasKeptOrders ? 'keptOrders' : 'keptBags')}</ButtonLink>
    </p>
  )
}

/** In place of a page that does not open without a network. */
export function NeedsConnection({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Page title={t('needsConnection.title')}>
      <FailureState problem={t('needsConnection.text')} onRetry={onRetry} />
      <KeptLink />
    </Page>
  )
}
