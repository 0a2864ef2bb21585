import type { InputRef } from 'antd'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorSummary } from '#client/ui/error-summary.tsx'
import { Page } from '#client/ui/page.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { isWaiting, LimitNotice, useLimit } from './limit-notice.tsx'
import { composePhone, isPhoneLongEnough } from './phone.rules.ts'
import { PhoneField, type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import { useSessions } from './sessions.state.tsx'
import { DemoHint, type SignInPageProps, SubmitButton } from './sign-in-form.tsx'
import { useClearCode } from './use-clear-code.ts'
import { useToast } from './use-toast.tsx'
import './auth.css'

/** Login of the shipping partner's agents. The router redirects after sign-in. */
export function AgentAuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const toast = useToast()
  const sessions = useSessions()
  const { otpSent, codeTimes, isCodeUsedUp, phone: sentPhone, hasEnded } = sessions.state
  const [phone, setPhone] = useState<TypedPhone>(() => typedPhoneOf(otpSent ? sentPhone : ''))
  const [error, setError] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const [isSending, setIsSending] = useState(false)
  const phoneId = useId()
  const phoneInput = useRef<InputRef>(null)

  useClearCode(sessions.resetOtp)
  const number = composePhone(phone.country, phone.text).phone
  const limit = useLimit('agent', 'send', number)
  const limitId = useId()

  function refuse(text: string): void {
    setError(text)
    setAttempt((before) => before + 1)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending || isWaiting(limit)) return
    if (!isPhoneLongEnough(number)) {
      refuse(t('errors.phone'))
      toast.show(t('errors.phone'))
      return
    }
    setError(undefined)
    toast.hide()
    setIsSending(true)
    const outcome = await sessions.requestCode({ role: 'agent', phone: number })
    setIsSending(false)
    if (!outcome.ok && outcome.field === 'phone') refuse(outcome.message)
  }

  return (
    <Page title={t('agent.title')}>
      <form className="auth-form" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorSummary
          problems={error === undefined ? [] : [{ fieldId: phoneId, message: error }]}
          attempt={attempt}
        />
        {hasEnded ? <p className="auth-notice">{t('ended')}</p> : null}
        <p className="auth-intro">{t('agent.intro')}</p>
        <PhoneField
          id={phoneId}
          value={phone}
          onChange={(next) => {
            setPhone(next)
            setError(undefined)
          }}
          error={error}
          inputRef={phoneInput}
        />
        <LimitNotice id={limitId} current={limit} contact={contact} />
        <SubmitButton isSending={isSending} limit={limit} limitId={limitId}>
          {isSending ? t('sending') : t('send')}
        </SubmitButton>
        {isDemo ? <DemoHint /> : null}
      </form>
      <CodeDialog
        toast={toast}
        phone={sentPhone}
        times={otpSent ? codeTimes : null}
        isUsedUp={isCodeUsedUp}
        userRole="agent"
        contact={contact}
        onVerify={(code) => sessions.verifyCode({ role: 'agent', code })}
        onResend={() => sessions.requestCode({ role: 'agent', phone: sentPhone })}
        onClose={sessions.resetOtp}
        onClosed={() => phoneInput.current?.focus()}
      />
    </Page>
  )
}
