import { Alert, Button, Spin } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { problemText } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { brand } from '#shared/platform/brand.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { useSignInAddress } from './sign-in-address.ts'
import styles from './signed-out.module.css'
import { useTitle } from './use-title.ts'

interface StateProps {
  readonly title: string
  readonly children?: ReactNode
}

/** A page without the desk around it. */
function State({ title, children }: StateProps) {
  useTitle(title)
  return (
    <div className={styles.page}>
      <div className={styles.box}>
        <div className={styles.head}>
          <Wordmark />
          <LanguageSwitch />
        </div>
        <main className={styles.content}>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </div>
  )
}

export function SignedOut({ outcome }: { readonly outcome: Outcome | undefined }) {
  const { t } = useTranslation('desk')
  const name = brand.name[useLanguage()]
  const text = useOutcomeText(outcome)
  const hasNoRight = outcome?.kind === 'no-right'
  const address = useSignInAddress({ again: hasNoRight })
  return (
    <State title={t('signIn.title', { brand: name })}>
      {text === undefined ? null : (
        <Alert type={outcome?.kind === 'cancelled' ? 'info' : 'warning'} showIcon role="alert" title={text} />
      )}
      <p>{t('signIn.text')}</p>
      <Button type="primary" size="large" block href={address}>
        {t(hasNoRight ? 'signIn.another' : 'signIn.go')}
      </Button>
    </State>
  )
}

export function SessionOver() {
  const { t } = useTranslation('desk')
  return (
    <State title={t('over.title')}>
      <Button type="primary" size="large" block href={useSignInAddress()}>
        {t('over.go')}
      </Button>
    </State>
  )
}

interface FailedProps {
  readonly error: unknown
  readonly onRetry: () => void
}

export function Failed({ error, onRetry }: FailedProps) {
  const { t } = useTranslation('desk')
  return (
    <State title={t('failed.title')}>
      <Alert type="error" showIcon role="alert" title={problemText(error)} />
      <Button type="primary" size="large" block onClick={onRetry}>
        {t('failed.retry')}
      </Button>
    </State>
  )
}

/** Nothing for a moment: most answers are there by then. */
export function Loading() {
  const { t } = useTranslation('desk')
  return useAfter(200) ? (
    <div className={styles.page} role="status">
      <Spin size="large" description={t('loading')} />
    </div>
  ) : null
}

/** An address of no page, or of one that the person has no right to. */
export function NotFound() {
  const { t } = useTranslation('desk')
  return (
    <>
      <h1>{t('notFound.title')}</h1>
      <p>
        <Link className={styles.link} to="/">
          {t('notFound.home')}
        </Link>
      </p>
    </>
  )
}
