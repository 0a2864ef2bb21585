import { Button, Input, type InputRef, Modal } from 'antd'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { cleanTypedCode, isCodeComplete, minutesValid, secondsUntil } from './code.rules.ts'
import type { CodeTimes } from './sessions.rules.ts'
import type { Outcome } from './sessions.state.tsx'
import type { Toast } from './use-toast.tsx'

interface CodeDialogProps {
  /** Null while no code is out: the dialog is closed. */
  times: CodeTimes | null
  phone: string
  toast: Toast
  onVerify: (code: string) => Promise<Outcome>
  onResend: () => Promise<Outcome>
  /** The person leaves the dialog without having verified. */
  onClose: () => void
  /** The dialog is gone, for whatever reason, and the focus is free. */
  onClosed: () => void
}

export function CodeDialog({ times, onClosed, ...form }: CodeDialogProps) {
  const { t } = useTranslation('sessions')
  return (
    <Modal
      open={times !== null}
      title={t('code.title')}
      footer={null}
      // antd's own mark is called close, also in Arabic.
      closeIcon={<Icon name="cross" />}
      // In place: in a portal antd locks the page's scrolling by a style element without our nonce.
      getContainer={false}
      transitionName=""
      maskTransitionName=""
      // A tap beside the dialog, on the way back from the messages app, must not throw the code away.
      mask={{ closable: false }}
      // A hidden dialog keeps its last content otherwise, with the code that was typed.
      destroyOnHidden
      focusable={{ focusTriggerAfterClose: false }}
      onCancel={form.onClose}
      afterClose={onClosed}
    >
      {times === null ? null : <CodeForm times={times} {...form} />}
    </Modal>
  )
}

interface CodeFormProps extends Omit<CodeDialogProps, 'times' | 'onClosed'> {
  times: CodeTimes
}

/** What was typed lives here alone, so closing clears it (spec §2). */
function CodeForm({ times, phone, toast, onVerify, onResend, onClose }: CodeFormProps) {
  const { t } = useTranslation('sessions')
  const input = useRef<InputRef>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState<'verifying' | 'resending'>()
  const [news, setNews] = useState('')

  useEffect(() => input.current?.focus(), [])
  // Said once the dialog is there: a live region that arrives with its words is not read.
  useEffect(() => setNews(t('code.sent')), [t])

  function refuse(text: string): void {
    setError(text)
    input.current?.focus({ cursor: 'all' })
  }

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy !== undefined) return
    if (!isCodeComplete(code)) {
      toast.show(t('errors.code'))
      refuse(t('errors.code'))
      return
    }
    toast.hide()
    setBusy('verifying')
    const outcome = await onVerify(code)
    setBusy(undefined)
    if (!outcome.ok) refuse(outcome.message)
  }

  async function resend(): Promise<void> {
    if (busy !== undefined) return
    toast.hide()
    setBusy('resending')
    setNews('')
    const outcome = await onResend()
    setBusy(undefined)
    if (!outcome.ok) return
    setCode('')
    setError(undefined)
    setNews(t('code.resent'))
    input.current?.focus()
  }

  return (
    <form className="code-form" onSubmit={(event) => void verify(event)} noValidate>
      <div className="code-sent">
        <p>{t('code.sentTo')}</p>
        <p className="code-phone">
          <Ltr>{phone}</Ltr>
        </p>
      </div>
      <Field label={t('code.label')} error={error} hint={t('code.validFor', { count: minutesValid(times) })}>
        {(control) => (
          <Input
            {...control}
            ref={input}
            className="code-input"
            dir="ltr"
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            // The limit of four is in the cleaning: maxLength would cut a pasted "12 34" or a whole message too early.
            onChange={(event) => setCode(cleanTypedCode(event.target.value))}
            status={error === undefined ? '' : 'error'}
          />
        )}
      </Field>
      <Button type="primary" htmlType="submit" block aria-disabled={busy === 'verifying'}>
        {busy === 'verifying' ? t('code.verifying') : t('code.verify')}
      </Button>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <div className="code-help">
        <p>{t('code.notReceived')}</p>
        <Resend resendAt={times.resendAt} isBusy={busy !== undefined} onResend={() => void resend()} />
        <Button type="link" onClick={onClose}>
          {t('code.changeNumber')}
        </Button>
      </div>
    </form>
  )
}

interface ResendProps {
  resendAt: number
  isBusy: boolean
  onResend: () => void
}

/** Counts down to the moment the server named; not announced each second, the button appears when it is time. */
function Resend({ resendAt, isBusy, onResend }: ResendProps) {
  const { t } = useTranslation('sessions')
  const seconds = useSecondsUntil(resendAt)
  if (seconds > 0) return <p className="code-countdown">{t('code.resendIn', { count: seconds })}</p>
  return (
    <Button type="link" onClick={onResend} aria-disabled={isBusy}>
      {t('code.resend')}
    </Button>
  )
}

function useSecondsUntil(time: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= time) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [time])
  return secondsUntil(time, now)
}
