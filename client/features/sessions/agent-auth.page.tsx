import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#client/session/session.ts'
import { Scene } from '#client/ui/scene.tsx'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { isWaiting, LimitNotice, useLimit } from './limit-notice.tsx'
import { PhoneField, type TypedPhone, typedPhoneOf } from './phone-field.tsx'
import { isPhoneLongEnough } from './phone-text.rules.ts'
import { useSessions } from './sessions.state.tsx'
import { DemoHint, SignInForm, SignInLayout, type SignInPageProps, SubmitButton } from './sign-in-form.tsx'
import { useClearCode } from './use-clear-code.ts'
import { focusRefused, useErrorToasts } from './use-error-toasts.ts'
import { usePhoneNumber } from './use-phone-number.ts'
import './sessions.texts.ts'

/** Login of the shipping partner's agents. The router redirects after sign-in. */
export function AgentAuthPage({ isDemo, contact }: SignInPageProps) {
  const { t } = useTranslation('sessions')
  const sessions = useSessions()
  const { hasEnded } = useSession()
  const { otpSent, codeTimes, isCodeUsedUp, phone: sentPhone } = sessions.state
  const isSaidAtField = useErrorToasts(!otpSent)
  const [phone, setPhone] = useState<TypedPhone>(() => typedPhoneOf(otpSent ? sentPhone : ''))
  const [error, setError] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const phoneId = useId()
  const phoneInput = useRef<HTMLInputElement>(null)

  useClearCode(sessions.resetOtp)
  const { number, loadNumber, isLoading } = usePhoneNumber(phone)
  const limit = useLimit('agent', 'send', number)
  const limitId = useId()

  /** True when the focus announces the message. */
  function refuse(text: string): boolean {
    setError(text)
    return focusRefused(phoneInput.current)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending || isLoading || isWaiting(limit)) return
    const sent = number ?? (await loadNumber())
    if (sent === undefined) return
    if (!isPhoneLongEnough(sent)) {
      showToast(t('errors.phone'), { isAnnounced: !refuse(t('errors.phone')) })
      return
    }
    setError(undefined)
    hideToast()
    setIsSending(true)
    const outcome = await sessions.requestCode({ role: 'agent', phone: sent })
    setIsSending(false)
    if (!outcome.ok && outcome.field === 'phone') isSaidAtField.current = refuse(outcome.message)
  }

  return (
    <SignInLayout
      title={t('agent.title')}
      picture={<Scene name="handed-over" />}
      over={
        <CodeDialog
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
      }
    >
      <SignInForm hasErrors={error !== undefined} onSubmit={submit}>
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
        {isDemo ? <DemoHint /> : null}
        <SubmitButton isSending={isSending || isLoading} limit={limit} limitId={limitId}>
          {isSending || isLoading ? t('sending') : t('send')}
        </SubmitButton>
      </SignInForm>
    </SignInLayout>
  )
}
