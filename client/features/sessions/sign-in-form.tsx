import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { Page, useErrorTitle } from '#client/ui/page.tsx'
import { Tents } from '#client/ui/tents.tsx'
import styles from './auth.module.css'
import { type CurrentLimit, isWaiting, type SupportContact } from './limit-notice.tsx'

/** Props of both sign-in pages. */
export interface SignInPageProps {
  readonly isDemo: boolean
  /** Undefined until the configuration has loaded. */
  readonly contact?: SupportContact | undefined
}

interface SignInLayoutProps {
  readonly title: string
  /** Beside the form on wide screens; decoration. */
  readonly picture: ReactNode
  /** Dialogs. */
  readonly over: ReactNode
  readonly children: ReactNode
}

/** A sign-in page: on wide screens the form with a picture beside it. */
export function SignInLayout({ title, picture, over, children }: SignInLayoutProps) {
  return (
    <Page title={title} width="table" className={styles.signInPage}>
      <div className={styles.signIn}>
        {children}
        <div className={styles.signInPicture} aria-hidden="true">
          {picture}
        </div>
      </div>
      {over}
    </Page>
  )
}

interface SignInFormProps {
  /** Marks the document's title. */
  readonly hasErrors: boolean
  readonly onSubmit: (event: FormEvent) => Promise<void>
  readonly children: ReactNode
}

export function SignInForm({ hasErrors, onSubmit, children }: SignInFormProps) {
  useErrorTitle(hasErrors)
  return (
    // `dialog`: sent before the app has started, the prerendered form does nothing and keeps what was typed.
    <form className={styles.form} method="dialog" onSubmit={(event) => void onSubmit(event)} noValidate>
      {children}
    </form>
  )
}

interface SubmitButtonProps {
  readonly isSending: boolean
  readonly limit: CurrentLimit | undefined
  /** Id of the `LimitNotice` that gives the reason while the button is disabled. */
  readonly limitId: string
  readonly children: ReactNode
}

export function SubmitButton({ isSending, limit, limitId, children }: SubmitButtonProps) {
  return (
    <>
      <Tents />
      <div className={buttonStyles.dock}>
        <Button
          type="submit"
          look="primary"
          isWide
          className={isWaiting(limit) ? styles.isLimited : undefined}
          isBusy={isSending || isWaiting(limit)}
          aria-describedby={limit === undefined ? undefined : limitId}
        >
          {children}
        </Button>
      </div>
    </>
  )
}

/** Shown while the SMS service is simulated: no message will arrive. */
export function DemoHint() {
  const { t } = useTranslation('sessions')
  return <p className={styles.demo}>{t('demo')}</p>
}
