import { Button, Input, type InputRef } from 'antd'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/field.tsx'
import { Page } from '#client/ui/page.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { DemoHint } from './demo-hint.tsx'
import { composePhone, isPhoneLongEnough } from './phone.rules.ts'
import { emptyPhone, PhoneField, type TypedPhone } from './phone-field.tsx'
import type { Mode } from './sessions.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { useToast } from './use-toast.tsx'
import './auth.css'

interface FieldErrors {
  name?: string | undefined
  phone?: string | undefined
}

/** Login and sign-up of pilgrims. Where to go afterwards is for the router to say. */
export function AuthPage({ isDemo }: { isDemo: boolean }) {
  const { t } = useTranslation('sessions')
  const toast = useToast()
  const sessions = useSessions()
  const { mode, provenCode, otpSent, codeTimes, phone: sentPhone } = sessions.state
  const [name, setName] = useState('')
  const [phone, setPhone] = useState<TypedPhone>(emptyPhone)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isSending, setIsSending] = useState(false)
  const nameInput = useRef<InputRef>(null)
  const phoneInput = useRef<InputRef>(null)

  // Leaving the page half-way must not leave its dialog open for the next visit.
  useEffect(() => sessions.resetOtp, [sessions.resetOtp])
  const mustFinish = mode === 'signup' && provenCode !== null

  function refuse(found: FieldErrors): void {
    setErrors(found)
    const first = found.name ?? found.phone
    if (first !== undefined) toast.show(first)
    if (found.name !== undefined) nameInput.current?.focus()
    else if (found.phone !== undefined) phoneInput.current?.focus()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending) return
    const { phone: number } = composePhone(phone.country, phone.text)
    const found: FieldErrors = {
      ...(mode === 'signup' && name.trim() === '' ? { name: t('errors.name') } : {}),
      ...(isPhoneLongEnough(number) ? {} : { phone: t('errors.phone') }),
    }
    if (found.name !== undefined || found.phone !== undefined) {
      refuse(found)
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
    if (outcome.field === 'phone') setErrors({ phone: outcome.message })
    if (outcome.field === 'name') setErrors({ name: outcome.message })
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

  return (
    <Page title={mode === 'login' ? t('login.title') : t('signup.title')}>
      <form className="auth-form" onSubmit={(event) => void submit(event)} noValidate>
        <ModeToggle mode={mode} onChoose={chooseMode} />
        <p className={mustFinish ? 'auth-notice' : 'auth-intro'}>
          {mode === 'login' ? t('login.intro') : mustFinish ? t('signup.newNumber') : t('signup.intro')}
        </p>
        {mode === 'signup' ? (
          <Field label={t('name')} error={errors.name}>
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
        <PhoneField value={phone} onChange={changePhone} error={errors.phone} inputRef={phoneInput} />
        <Button type="primary" htmlType="submit" block aria-disabled={isSending}>
          {mustFinish ? (isSending ? t('finishing') : t('finish')) : isSending ? t('sending') : t('send')}
        </Button>
        {isDemo ? <DemoHint /> : null}
      </form>
      <CodeDialog
        toast={toast}
        phone={sentPhone}
        times={otpSent ? codeTimes : null}
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
