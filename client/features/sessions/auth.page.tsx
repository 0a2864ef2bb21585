import { type Ref, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Pass, PassFact } from '#client/entities/airway-bill/pass.tsx'
import { useLatest } from '#client/platform/use-latest.ts'
import { useSession } from '#client/session/session.ts'
import { Field } from '#client/ui/field.tsx'
import { personNameMaxLength } from '#shared/sessions/person-name.ts'
import { CodeDialog } from './code-dialog.tsx'
import { LimitNotice } from './limit-notice.tsx'
import { PhoneField } from './phone-field.tsx'
import type { Mode } from './sessions.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { DemoHint, SignInForm, SignInLayout, type SignInPageProps, SubmitButton } from './sign-in-form.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { useClearCode } from './use-clear-code.ts'
import './auth.css'
import './sessions.texts.ts'

/** Login and sign-up of users. The router redirects after sign-in. */
export function AuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const sessions = useSessions()
  const { hasEnded } = useSession()
  const { mode, otpSent, codeTimes, isCodeUsedUp, phone: sentPhone } = sessions.state
  const nameInput = useRef<HTMLInputElement>(null)
  const phoneInput = useRef<HTMLInputElement>(null)
  const form = useAuthForm({ name: nameInput, phone: phoneInput })
  const { errors, mustFinish, isSending } = form
  const phoneId = useId()
  const limitId = useId()
  useClearCode(sessions.leaveSignIn)

  return (
    <SignInLayout
      title={mode === 'login' ? t('login.title') : t('signup.title')}
      picture={<EmptyPass receiver={mode === 'signup' ? form.name.trim() : ''} />}
      over={
        <CodeDialog
          phone={sentPhone}
          times={otpSent ? codeTimes : null}
          isUsedUp={isCodeUsedUp}
          userRole="user"
          contact={contact}
          onVerify={(code) => sessions.verifyCode({ role: 'user', code })}
          onResend={() => sessions.requestCode({ role: 'user', phone: sentPhone, name: sessions.state.name })}
          onClose={sessions.resetOtp}
          onClosed={() => (mustFinish ? nameInput : phoneInput).current?.focus()}
        />
      }
    >
      <SignInForm hasErrors={errors.name !== undefined || errors.phone !== undefined} onSubmit={form.submit}>
        {hasEnded ? <p className="auth-notice">{t('ended')}</p> : null}
        <p className={mustFinish ? 'auth-notice' : 'auth-intro'}>
          {mode === 'login' ? t('login.intro') : mustFinish ? t('signup.newNumber') : t('signup.intro')}
        </p>
        <ModeToggle mode={mode} onChoose={form.chooseMode} />
        {mode === 'signup' ? (
          <NameField value={form.name} onChange={form.changeName} error={errors.name} inputRef={nameInput} />
        ) : null}
        <PhoneField
          id={phoneId}
          value={form.phone}
          onChange={form.changePhone}
          error={errors.phone}
          hint={t('phoneHint')}
          inputRef={phoneInput}
        />
        <LimitNotice id={limitId} current={form.limit} contact={contact} />
        {isDemo ? <DemoHint /> : null}
        <SubmitButton isSending={isSending} limit={form.limit} limitId={limitId}>
          {mustFinish ? (isSending ? t('finishing') : t('finish')) : isSending ? t('sending') : t('send')}
        </SubmitButton>
      </SignInForm>
    </SignInLayout>
  )
}

/** The tag that booking fills; the name appears on it as it is typed. */
function EmptyPass({ receiver }: { readonly receiver: string }) {
  const { t } = useTranslation('sessions')
  return (
    <Pass
      start={t('pass.bag')}
      city={undefined}
      facts={<PassFact name={t('pass.receiver')}>{receiver === '' ? '…' : <bdi>{receiver}</bdi>}</PassFact>}
    >
      <p className="pass-paper sign-in-barcode">{t('pass.barcode')}</p>
    </Pass>
  )
}

interface NameFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly inputRef: Ref<HTMLInputElement>
}

function NameField({ value, onChange, error, inputRef }: NameFieldProps) {
  const { t } = useTranslation('sessions')
  return (
    <Field label={t('name')} error={error}>
      {(control) => (
        <input
          {...control}
          ref={inputRef}
          className="input"
          autoComplete="name"
          dir="auto"
          maxLength={personNameMaxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface ModeToggleProps {
  mode: Mode
  onChoose: (mode: Mode) => void
}

function ModeToggle({ mode, onChoose }: ModeToggleProps) {
  const { t } = useTranslation('sessions')
  const group = useId()
  const signup = useRef<HTMLInputElement>(null)
  // Chosen on the prerendered page before the app started.
  const latest = useLatest({ mode, onChoose })
  useEffect(() => {
    if (signup.current?.checked && latest.current.mode !== 'signup') latest.current.onChoose('signup')
  }, [latest])
  return (
    <fieldset className="mode-toggle">
      <legend className="visually-hidden">{t('mode.label')}</legend>
      <label className="mode-choice">
        <input type="radio" name={group} checked={mode === 'login'} onChange={() => onChoose('login')} />
        <span>{t('mode.login')}</span>
      </label>
      <label className="mode-choice">
        <input
          ref={signup}
          type="radio"
          name={group}
          checked={mode === 'signup'}
          onChange={() => onChoose('signup')}
        />
        <span>{t('mode.signup')}</span>
      </label>
    </fieldset>
  )
}
