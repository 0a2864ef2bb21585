import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#client/session/session.ts'
import { Scene } from '#client/ui/scene.tsx'
import styles from './auth.module.css'
import { CodeDialog } from './code-dialog.tsx'
import { LimitNotice } from './limit-notice.tsx'
import { PhoneField } from './phone-field.tsx'
import { DemoHint, SignInForm, SignInLayout, type SignInPageProps, SubmitButton } from './sign-in-form.tsx'
import { useSignIn } from './use-sign-in.ts'
import { useSignInForm } from './use-sign-in-form.ts'

/** Login of the shipping partner's agents. The router redirects after sign-in. */
export function AgentAuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const { hasEnded } = useSession()
  const signIn = useSignIn('agent')
  const phoneInput = useRef<HTMLInputElement>(null)
  const form = useSignInForm(signIn, { phone: phoneInput })
  const { errors, isSending, limit } = form
  const phoneId = useId()
  const limitId = useId()

  return (
    <SignInLayout
      title={t('agent.title')}
      picture={<Scene name="handed-over" />}
      over={<CodeDialog signIn={signIn} contact={contact} onClosed={() => phoneInput.current?.focus()} />}
    >
      <SignInForm hasErrors={errors.phone !== undefined} onSubmit={form.submit}>
        {hasEnded ? <p className={styles.notice}>{t('ended')}</p> : null}
        <p className={styles.intro}>{t('agent.intro')}</p>
        <PhoneField
          id={phoneId}
          value={form.phone}
          onChange={form.changePhone}
          error={errors.phone}
          inputRef={phoneInput}
        />
        <LimitNotice id={limitId} current={limit} contact={contact} />
        {isDemo ? <DemoHint /> : null}
        <SubmitButton isSending={isSending} limit={limit} limitId={limitId}>
          {isSending ? t('sending') : t('send')}
        </SubmitButton>
      </SignInForm>
    </SignInLayout>
  )
}
