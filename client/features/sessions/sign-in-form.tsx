import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSession } from '#client/session/session.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { Page, useErrorTitle } from '#client/ui/page.tsx'
import { Tents } from '#client/ui/tents.tsx'
import { AgentPairing } from './agent-pairing.tsx'
import styles from './auth.module.css'
import { isWaiting, LimitNotice } from './limit-notice.tsx'
import { OtherChannels } from './other-channels.tsx'
import { PhoneField } from './phone-field.tsx'
import type { useSignInForm } from './use-sign-in-form.ts'

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
  readonly form: ReturnType<typeof useSignInForm>
  readonly phoneInput: RefObject<HTMLInputElement | null>
  readonly phoneHint?: string
  /** Another way, below the phone. */
  readonly below?: ReactNode
  /** What comes before the phone. */
  readonly children: ReactNode
}

/** Carries out a press on the prerendered form, with what was typed and chosen there. @returns the ref of the form. */
function usePressHeld(send: () => void): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (form.current?.dataset.pressed === undefined) return
    delete form.current.dataset.pressed
    // The fields take what was typed in the same update.
    setIsHeld(true)
  }, [])
  const carryOut = useEffectEvent(send)
  useEffect(() => {
    if (isHeld) carryOut()
  }, [isHeld])
  return form
}

/** The phone with all that may hinder a code, and the button that requests one. */
export function SignInForm({ form, phoneInput, phoneHint, below, children }: SignInFormProps) {
  const { t } = useTranslation('sessions')
  const config = useConfig()
  const { hasEnded } = useSession()
  const { errors, limit, shownLimit, isSending, mustFinish } = form
  const phoneId = useId()
  const limitId = useId()
  const action = mustFinish ? t(isSending ? 'finishing' : 'finish') : t(isSending ? 'sending' : 'send')
  const served = usePressHeld(form.sendNow)
  useErrorTitle(errors.name !== undefined || errors.phone !== undefined)
  return (
    // `dialog`: sent before the app has started, the prerendered form keeps what was typed, and before-app.js the press.
    <form
      ref={served}
      className={styles.form}
      method="dialog"
      onSubmit={form.submit}
      noValidate
      suppressHydrationWarning
    >
      {hasEnded ? <p className={styles.notice}>{t('ended')}</p> : null}
      {children}
      <PhoneField
        id={phoneId}
        value={form.phone}
        onChange={form.changePhone}
        error={errors.phone}
        hint={phoneHint}
        inputRef={phoneInput}
      />
      <LimitNotice id={limitId} current={shownLimit} />
      <AgentPairing signIn={form.signIn} limit={shownLimit} isBusy={isSending} onSend={form.sendNow} />
      <OtherChannels
        signIn={form.signIn}
        channels={form.offered?.channels ?? []}
        from={form.offered?.at}
        isBusy={isSending}
        onChoose={(channel) => void form.send(channel)}
      />
      {below}
      {/* The SMS service is simulated: no message will arrive. */}
      {config?.demo ? <p className={styles.demo}>{t('demo')}</p> : null}
      <Tents />
      <div className={buttonStyles.dock}>
        <Button
          type="submit"
          look="primary"
          isWide
          className={isWaiting(limit) ? styles.isLimited : undefined}
          isBusy={isSending || isWaiting(limit)}
          // The reason while it is disabled.
          aria-describedby={limit === undefined ? undefined : limitId}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
