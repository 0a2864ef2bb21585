import { Button, Input, type InputRef } from 'antd'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorSummary, type FieldProblem } from '#client/ui/error-summary.tsx'
import { Field } from '#client/ui/field.tsx'
import { Page } from '#client/ui/page.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { DemoHint } from './demo-hint.tsx'
import { isWaiting, LimitNotice, type SupportContact, useLimit } from './limit-notice.tsx'
import { composePhone, isPhoneLongEnough } from './phone.rules.ts'
import { PhoneField, type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import type { Mode } from './sessions.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { useForgetCode } from './use-forget-code.ts'
import { useToast } from './use-toast.tsx'
import './auth.css'

interface FieldErrors {
  name?: string | undefined
  phone?: string | undefined
}

export interface SignInPageProps {
  readonly isDemo: boolean
  /** Unknown until the configuration has come. */
  readonly contact?: SupportContact | undefined
}

/** Login and sign-up of pilgrims. Where to go afterwards is for the router to say. */
export function AuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const toast = useToast()
  const sessions = useSessions()
  const { mode, provenCode, otpSent, codeTimes, isCodeUsedUp, phone: sentPhone, hasEnded } = sessions.state
  const [name, setName] = useState(otpSent ? sessions.state.name : '')
  const [phone, setPhone] = useState<TypedPhone>(() => typedPhoneOf(otpSent ? sentPhone : ''))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [attempt, setAttempt] = useState(0)
  const [isSending, setIsSending] = useState(false)
  const nameId = useId()
  const phoneId = useId()
  const nameInput = useRef<InputRef>(null)
  const phoneInput = useRef<InputRef>(null)

  useForgetCode(sessions.resetOtp)
  const mustFinish = mode === 'signup' && provenCode !== null
  const number = composePhone(phone.country, phone.text).phone
  const limit = useLimit('user', mustFinish ? 'check' : 'send', number)
  const limitId = useId()

  function refuse(found: FieldErrors): void {
    setErrors(found)
    setAttempt((before) => before + 1)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending || isWaiting(limit)) return
    const found: FieldErrors = {
      ...(mode === 'signup' && name.trim() === '' ? { name: t('errors.name') } : {}),
      ...(isPhoneLongEnough(number) ? {} : { phone: t('errors.phone') }),
    }
    if (found.name !== undefined || found.phone !== undefined) {
      refuse(found)
      toast.show(found.name ?? found.phone ?? '')
      return
    }
    setErrors({})
    toast.hide()
    setIsSending(true)
    const outcome = mustFinish
      ? await sessions.finishSignUp(name.trim())
      : await sessions.requestCode({
          role: 'user',
          phone: number,
          ...(mode === 'signup' ? { name: name.trim() } : {}),
        })
    setIsSending(false)
    if (outcome.ok) return
    if (outcome.field === 'phone') refuse({ phone: outcome.message })
    if (outcome.field === 'name') refuse({ name: outcome.message })
  }

  function changePhone(next: TypedPhone): void {
    setPhone(next)
    setErrors((before) => ({ ...before, phone: undefined }))
    // The proof belongs to the number it was given for.
    if (provenCode !== null && composePhone(next.country, next.text).phone !== sentPhone)
      sessions.dropProvenCode()
  }

  function chooseMode(next: Mode): void {
    setErrors({})
    sessions.chooseMode(next)
  }

  const problems: FieldProblem[] = []
  if (errors.name !== undefined) problems.push({ fieldId: nameId, message: errors.name })
  if (errors.phone !== undefined) problems.push({ fieldId: phoneId, message: errors.phone })

  return (
    <Page title={mode === 'login' ? t('login.title') : t('signup.title')}>
      <form className="auth-form" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorSummary problems={problems} attempt={attempt} />
        {hasEnded ? <p className="auth-notice">{t('ended')}</p> : null}
        <ModeToggle mode={mode} onChoose={chooseMode} />
        <p className={mustFinish ? 'auth-notice' : 'auth-intro'}>
          {mode === 'login' ? t('login.intro') : mustFinish ? t('signup.newNumber') : t('signup.intro')}
        </p>
        {mode === 'signup' ? (
          <Field id={nameId} label={t('name')} error={errors.name}>
            {(control) => (
              <Input
                {...control}
                ref={nameInput}
                autoComplete="name"
                dir="auto"
                maxLength={80}
                value={name}
                onChange={(event) => {
                  setName(event.target.value)
                  setErrors((before) => ({ ...before, name: undefined }))
                }}
                status={errors.name === undefined ? '' : 'error'}
              />
            )}
          </Field>
        ) : null}
        <PhoneField
          id={phoneId}
          value={phone}
          onChange={changePhone}
          error={errors.phone}
          inputRef={phoneInput}
        />
        <LimitNotice id={limitId} current={limit} contact={contact} />
        <Button
          type="primary"
          htmlType="submit"
          block
          className={isWaiting(limit) ? 'is-limited' : ''}
          aria-disabled={isSending || isWaiting(limit)}
          aria-describedby={limit === undefined ? undefined : limitId}
        >
          {mustFinish ? (isSending ? t('finishing') : t('finish')) : isSending ? t('sending') : t('send')}
        </Button>
        {isDemo ? <DemoHint /> : null}
      </form>
      <CodeDialog
        toast={toast}
        phone={sentPhone}
        times={otpSent ? codeTimes : null}
        isUsedUp={isCodeUsedUp}
        audience="user"
        contact={contact}
        onVerify={(code) => sessions.verifyCode({ role: 'user', code })}
        onResend={() => sessions.requestCode({ role: 'user', phone: sentPhone, name: sessions.state.name })}
        onClose={sessions.resetOtp}
        onClosed={() => (mustFinish ? nameInput : phoneInput).current?.focus()}
      />
    </Page>
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
