import { type ReactNode, useId } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSession } from '#client/session/session.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Form } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import pageStyles from '#client/ui/page.module.css'
import { Page } from '#client/ui/page.tsx'
import { Tents } from '#client/ui/tents.tsx'
import textStyles from '#client/ui/text.module.css'
import { AgentPairing } from './agent-pairing.tsx'
import styles from './auth.module.css'
import { isWaiting, LimitNotice } from './limit-notice.tsx'
import { OtherChannels } from './other-channels.tsx'
import { PhoneField } from './phone-field.tsx'
import type { useSignInForm } from './use-sign-in-form.ts'

interface SignInLayoutProps {
  readonly title: string
  /** A decoration next to the form on wide screens. */
  readonly picture: ReactNode
  /** The dialogs of the page. */
  readonly over: ReactNode
  readonly children: ReactNode
}

/** A sign-in page: on wide screens the form with a picture beside it. */
export function SignInLayout({ title, picture, over, children }: SignInLayoutProps) {
  return (
    <Page title={title} width="columns" className={styles.signIn}>
      {children}
      <div className={classes(pageStyles.side, pageStyles.onlyBeside, styles.picture)} aria-hidden="true">
        {picture}
      </div>
      {over}
    </Page>
  )
}

interface SignInFormProps {
  readonly form: ReturnType<typeof useSignInForm>
  readonly phoneHint?: string
  /** A link to another way to sign in, below the phone field. */
  readonly below?: ReactNode
  /** The fields above the phone field. */
  readonly children: ReactNode
}

/** Replaces the request for a code while the server asks to wait. */
const noSend = () => undefined

/** The phone field, the notices that may block a code, and the button that requests a code. */
export function SignInForm({ form: page, phoneHint, below, children }: SignInFormProps) {
  const { t } = useTranslation('sessions')
  const config = useConfig()
  const { hasEnded } = useSession()
  const { form, signIn, limit, shownLimit, isSending, mustFinish } = page
  const phoneId = useId()
  const limitId = useId()
  const action = mustFinish ? t(isSending ? 'finishing' : 'finish') : t(isSending ? 'sending' : 'send')
  const sendNow = () => form.send()
  return (
    // `dialog`: when the form is submitted before the app has started, the served form keeps the typed text and before-app.js
    // keeps the press.
    <Form
      form={form}
      className={classes(layout.stack, layout.gap4, styles.form)}
      method="dialog"
      onSend={isWaiting(limit) ? noSend : sendNow}
    >
      {hasEnded ? <Note className={styles.notice}>{t('ended')}</Note> : null}
      {children}
      <PhoneField
        id={phoneId}
        value={form.values.phone}
        onChange={page.changePhone}
        error={form.faults.phone}
        hint={phoneHint}
        isStart={!mustFinish}
      />
      <LimitNotice id={limitId} current={shownLimit} />
      <AgentPairing signIn={signIn} limit={shownLimit} isBusy={isSending} onSend={sendNow} />
      <OtherChannels
        signIn={signIn}
        channels={page.offered?.channels ?? []}
        from={page.offered?.at}
        isBusy={isSending}
        onChoose={(channel) => form.send({ channel })}
      />
      {below}
      {/* The SMS service is simulated: no message will arrive. */}
      {config?.demo ? <p className={textStyles.hint}>{t('demo')}</p> : null}
      <Tents />
      <div className={buttonStyles.dock}>
        <Button
          type="submit"
          look="primary"
          isWide
          className={isWaiting(limit) ? styles.isLimited : undefined}
          isBusy={isSending || isWaiting(limit)}
          // The notice that explains why the button is disabled.
          aria-describedby={limit === undefined ? undefined : limitId}
        >
          {action}
        </Button>
      </div>
    </Form>
  )
}
