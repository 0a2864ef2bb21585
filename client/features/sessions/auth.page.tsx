import { Input, type InputRef } from 'antd'
import { type Ref, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorSummary, type FieldProblem } from '#client/ui/error-summary.tsx'
import { Field } from '#client/ui/field.tsx'
import { Page } from '#client/ui/page.tsx'
import { personNameMaxLength } from '#shared/sessions/person-name.ts'
import { CodeDialog } from './code-dialog.tsx'
import { LimitNotice } from './limit-notice.tsx'
import { PhoneField } from './phone-field.tsx'
import type { Mode } from './sessions.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { DemoHint, type SignInPageProps, SubmitButton } from './sign-in-form.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { useClearCode } from './use-clear-code.ts'
import { useToast } from './use-toast.tsx'
import './auth.css'

/** Login and sign-up of users. The router redirects after sign-in. */
export function AuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const toast = useToast()
  const sessions = useSessions()
  const { mode, otpSent, codeTimes, isCodeUsedUp, phone: sentPhone, hasEnded } = sessions.state
  const form = useAuthForm(toast)
  const { errors, mustFinish, isSending } = form
  const nameId = useId()
  const phoneId = useId()
  const limitId = useId()
  const nameInput = useRef<InputRef>(null)
  const phoneInput = useRef<InputRef>(null)
  useClearCode(sessions.leaveSignIn)

  const problems: FieldProblem[] = []
  if (errors.name !== undefined) problems.push({ fieldId: nameId, message: errors.name })
  if (errors.phone !== undefined) problems.push({ fieldId: phoneId, message: errors.phone })

  return (
    <Page title={mode === 'login' ? t('login.title') : t('signup.title')}>
      <form className="auth-form" onSubmit={(event) => void form.submit(event)} noValidate>
        <ErrorSummary problems={problems} attempt={form.attempt} />
        {hasEnded ? <p className="auth-notice">{t('ended')}</p> : null}
        <ModeToggle mode={mode} onChoose={form.chooseMode} />
        <p className={mustFinish ? 'auth-notice' : 'auth-intro'}>
          {mode === 'login' ? t('login.intro') : mustFinish ? t('signup.newNumber') : t('signup.intro')}
        </p>
        {mode === 'signup' ? (
          <NameField
            id={nameId}
            value={form.name}
            onChange={form.changeName}
            error={errors.name}
            inputRef={nameInput}
          />
        ) : null}
        <PhoneField
          id={phoneId}
          value={form.phone}
          onChange={form.changePhone}
          error={errors.phone}
          inputRef={phoneInput}
        />
        <LimitNotice id={limitId} current={form.limit} contact={contact} />
        <SubmitButton isSending={isSending} limit={form.limit} limitId={limitId}>
          {mustFinish ? (isSending ? t('finishing') : t('finish')) : isSending ? t('sending') : t('send')}
        </SubmitButton>
        {isDemo ? <DemoHint /> : null}
      </form>
      <CodeDialog
        toast={toast}
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
    </Page>
  )
}

interface NameFieldProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly inputRef: Ref<InputRef>
}

function NameField({ id, value, onChange, error, inputRef }: NameFieldProps) {
  const { t } = useTranslation('sessions')
  return (
    <Field id={id} label={t('name')} error={error}>
      {(control) => (
        <Input
          {...control}
          ref={inputRef}
          autoComplete="name"
          dir="auto"
          maxLength={personNameMaxLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          status={error === undefined ? '' : 'error'}
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
  return (
    <fieldset className="mode-toggle">
      <legend className="visually-hidden">{t('mode.label')}</legend>
      <label className="mode-choice">
        <input type="radio" name={group} checked={mode === 'login'} onChange={() => onChoose('login')} />
        <span>{t('mode.login')}</span>
      </label>
      <label className="mode-choice">
        <input type="radio" name={group} checked={mode === 'signup'} onChange={() => onChoose('signup')} />
        <span>{t('mode.signup')}</span>
      </label>
    </fieldset>
  )
}
