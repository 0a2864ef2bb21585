import { Button, type InputRef } from 'antd'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '#client/ui/page.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { DemoHint } from './demo-hint.tsx'
import { composePhone, isPhoneLongEnough } from './phone.rules.ts'
import { emptyPhone, PhoneField, type TypedPhone } from './phone-field.tsx'
import { useSessions } from './sessions.state.tsx'
import { useToast } from './use-toast.tsx'
import './auth.css'

/** Login of the shipping partner's agents. Where to go afterwards is for the router to say. */
export function AgentAuthPage({ isDemo }: { isDemo: boolean }) {
  const { t } = useTranslation('sessions')
  const toast = useToast()
  const sessions = useSessions()
  const { otpSent, codeTimes, phone: sentPhone } = sessions.state
  const [phone, setPhone] = useState<TypedPhone>(emptyPhone)
  const [error, setError] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const phoneInput = useRef<InputRef>(null)

  useEffect(() => sessions.resetOtp, [sessions.resetOtp])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending) return
    const { phone: number } = composePhone(phone.country, phone.text)
    if (!isPhoneLongEnough(number)) {
      setError(t('errors.phone'))
      toast.show(t('errors.phone'))
      phoneInput.current?.focus()
      return
    }
    setError(undefined)
    toast.hide()
    setIsSending(true)
    const outcome = await sessions.requestCode({ role: 'agent', phone: number })
    setIsSending(false)
    if (!outcome.ok && outcome.field === 'phone') setError(outcome.message)
  }

  return (
    <Page title={t('agent.title')}>
      <form className="auth-form" onSubmit={(event) => void submit(event)} noValidate>
        <p className="auth-intro">{t('agent.intro')}</p>
        <PhoneField
          value={phone}
          onChange={(next) => {
            setPhone(next)
            setError(undefined)
          }}
          error={error}
          inputRef={phoneInput}
        />
        <Button type="primary" htmlType="submit" block aria-disabled={isSending}>
          {isSending ? t('sending') : t('send')}
        </Button>
        {isDemo ? <DemoHint /> : null}
      </form>
      <CodeDialog
        toast={toast}
        phone={sentPhone}
        times={otpSent ? codeTimes : null}
        onVerify={(code) => sessions.verifyCode({ role: 'agent', code })}
        onResend={() => sessions.requestCode({ role: 'agent', phone: sentPhone })}
        onClose={sessions.resetOtp}
        onClosed={() => phoneInput.current?.focus()}
      />
    </Page>
  )
}
