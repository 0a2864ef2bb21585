import { Button, Input, type InputRef, Modal } from 'antd'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { cleanTypedCode, isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'
import { isWaiting, LimitNotice, type SupportContact, useLimit, useWaitText } from './limit-notice.tsx'
import type { CodeTimes, Role } from './sessions.rules.ts'
import type { Outcome } from './sessions.state.tsx'
import { useSecondsUntil } from './use-seconds.ts'
import type { Toast } from './use-toast.tsx'

interface CodeDialogProps {
  /** Null while no code is out: the dialog is closed. */
  times: CodeTimes | null
  /** The code was mistyped too often: the way on is another one. */
  isUsedUp: boolean
  audience: Role
  phone: string
  contact: SupportContact | undefined
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
function CodeForm(props: CodeFormProps) {
  const { times, isUsedUp, audience, phone, contact, toast, onVerify, onResend, onClose } = props
  const { t } = useTranslation('sessions')
  const checkLimit = useLimit(audience, 'check', phone)
  const sendLimit = useLimit(audience, 'send', phone)
  const checkLimitId = useId()
  const sendLimitId = useId()
  const input = useRef<InputRef>(null)
  const resendArea = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState<'verifying' | 'resending'>()
  const [news, setNews] = useState('')
  const hasAskedAgain = useRef(false)
  const isLocked = isUsedUp || isWaiting(checkLimit)

  useEffect(() => {
    if (isUsedUp) resendArea.current?.focus()
    else input.current?.focus()
  }, [isUsedUp])
  // Said once the dialog is there: a live region that arrives with its words is not read. A request that sent
  // nothing must not be called a message that was sent.
  useEffect(() => {
    const sent = hasAskedAgain.current ? t('code.resent') : t('code.sent')
    setNews(isUsedUp ? t('code.usedUp') : times.isEarlier ? t('code.earlier') : sent)
  }, [t, isUsedUp, times])

  function refuse(text: string): void {
    setError(text)
    input.current?.focus({ cursor: 'all' })
  }

  async function verify(code: string): Promise<void> {
    if (busy !== undefined || isLocked) return
    if (!isCodeComplete(code)) {
      toast.show(t('errors.code'))
      refuse(t('errors.code'))
      return
    }
    toast.hide()
    setBusy('verifying')
    const outcome = await onVerify(code)
    setBusy(undefined)
    if (outcome.ok) return
    if (outcome.isShown) {
      // Only another code, or another hour, helps: what was typed is worth nothing then.
      setCode('')
      setError(undefined)
      return
    }
    refuse(outcome.message)
  }

  function change(text: string): void {
    const next = cleanTypedCode(text)
    setCode(next)
    // Pasted or filled in by the phone at once: whoever did not type it has nothing to look over.
    if (isFilledAtOnce(code, next)) void verify(next)
  }

  async function resend(): Promise<void> {
    if (busy !== undefined) return
    toast.hide()
    setBusy('resending')
    setNews('')
    hasAskedAgain.current = true
    const outcome = await onResend()
    setBusy(undefined)
    if (!outcome.ok) return
    setCode('')
    setError(undefined)
    input.current?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void verify(code)
  }

  return (
    <form className="code-form" onSubmit={submit} noValidate>
      <div className="code-sent">
        <p>{t('code.sentTo')}</p>
        <p className="code-phone">
          <Ltr>{phone}</Ltr>
        </p>
      </div>
      <LimitNotice id={checkLimitId} current={checkLimit} contact={contact} />
      <Field
        label={t('code.label')}
        error={isUsedUp ? t('code.usedUp') : error}
        hint={t('code.validFor', { count: minutesValid(times) })}
      >
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
            onChange={(event) => change(event.target.value)}
            readOnly={isUsedUp}
            status={error === undefined && !isUsedUp ? '' : 'error'}
          />
        )}
      </Field>
      <Button
        type={isUsedUp ? 'default' : 'primary'}
        htmlType="submit"
        block
        className={isLocked ? 'is-limited' : ''}
        aria-disabled={busy === 'verifying' || isLocked}
        aria-describedby={checkLimit === undefined ? undefined : checkLimitId}
      >
        {busy === 'verifying' ? t('code.verifying') : t('code.verify')}
      </Button>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <div className="code-help">
        <LimitNotice id={sendLimitId} current={sendLimit} contact={contact} />
        <div ref={resendArea} tabIndex={-1} className="code-resend">
          {isUsedUp ? null : <p>{times.isEarlier ? t('code.earlier') : t('code.notReceived')}</p>}
          {!isWaiting(sendLimit) ? (
            <Resend
              resendAt={times.resendAt}
              isNeeded={isUsedUp}
              isBusy={busy !== undefined}
              onResend={() => void resend()}
            />
          ) : null}
        </div>
        <Button type="link" onClick={onClose}>
          {t('code.changeNumber')}
        </Button>
      </div>
    </form>
  )
}

interface ResendProps {
  resendAt: number
  /** Nothing else leads on from here. */
  isNeeded: boolean
  isBusy: boolean
  onResend: () => void
}

/** Counts down to the moment the server named; not announced each second, the button appears when it is time. */
function Resend({ resendAt, isNeeded, isBusy, onResend }: ResendProps) {
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const seconds = useSecondsUntil(resendAt)
  if (seconds > 60) {
    return <p className="code-countdown">{t('code.resendAfter', { time: waitText(seconds) })}</p>
  }
  if (seconds > 0) return <p className="code-countdown">{t('code.resendIn', { count: seconds })}</p>
  return (
    <Button type={isNeeded ? 'primary' : 'link'} block={isNeeded} onClick={onResend} aria-disabled={isBusy}>
      {isNeeded ? t('code.sendNew') : t('code.resend')}
    </Button>
  )
}
