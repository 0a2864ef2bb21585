import type { ReactNode } from 'react'
import { problemText } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useAfter } from '#client/platform/time.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { brand } from '#shared/platform/brand.ts'
import barStyles from './bar.module.css'
import { LanguageSwitch } from './language-switch.tsx'
import { type Outcome, useOutcomeText } from './outcome.ts'
import { useSignInAddress } from './sign-in-address.ts'
import styles from './signed-out.module.css'
import { useTitle } from './use-title.ts'

/** A page without the frame of the desk and without antd. */
function State({ title, children }: { title: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <div className={`${layout.grid} ${styles.page}`}>
      <div className={styles.box}>
        <div className={`${layout.split} ${barStyles.bar}`}>
          <Wordmark />
          <LanguageSwitch />
        </div>
        <main className={`${layout.stack} ${layout.gap4} ${styles.content}`}>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </div>
  )
}

export function SignedOut({ outcome }: { outcome: Outcome | undefined }) {
  const { t } = useTranslation('desk')
  const name = brand.name[useLanguage()]
  const text = useOutcomeText(outcome)
  const hasNoRight = outcome?.kind === 'no-right'
  return (
    <State title={t('signIn.title', { brand: name })}>
      {text === undefined ? null : (
        <Note tone={outcome?.kind === 'cancelled' ? undefined : 'pending'} role="alert">
          {text}
        </Note>
      )}
      <p>{t('signIn.text')}</p>
      <ButtonLink look="primary" isWide href={useSignInAddress({ again: hasNoRight })}>
        {t(hasNoRight ? 'signIn.another' : 'signIn.go')}
      </ButtonLink>
    </State>
  )
}

export function SessionOver() {
  const { t } = useTranslation('desk')
  return (
    <State title={t('over.title')}>
      <ButtonLink look="primary" isWide href={useSignInAddress()}>
        {t('over.go')}
      </ButtonLink>
    </State>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('desk')
  return (
    <State title={t('failed.title')}>
      <Note tone="error" role="alert">
        {problemText(error)}
      </Note>
      <Button look="primary" isWide onClick={onRetry}>
        {t('failed.retry')}
      </Button>
    </State>
  )
}

/** Shows nothing for a moment, because most answers arrive within it. */
export function Loading() {
  const { t } = useTranslation('desk')
  return useAfter(200) ? (
    <div className={`${layout.grid} ${styles.page}`} role="status">
      {t('loading')}
    </div>
  ) : null
}
