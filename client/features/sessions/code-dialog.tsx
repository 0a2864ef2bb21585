import type { ParseKeys } from 'i18next'
import { useEffect, useId, useRef, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { problemText } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { EmailText, PhoneText } from '#client/ui/contact-text.tsx'
import { focusPlace, takeFocus } from '#client/ui/focus.ts'
import { Form, useForm } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { Tents } from '#client/ui/tents.tsx'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { AgentPairing } from './agent-pairing.tsx'
import styles from './auth.module.css'
import { isCodeComplete, isFilledAtOnce, minutesValid } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ContactLinks } from './contact-links.tsx'
import { isWaiting, LimitNotice, useLimit, useNewestLimit, useWaitText } from './limit-notice.tsx'
import { OtherChannels, useOtherChannels } from './other-channels.tsx'
import type { SentCode } from './sign-in.rules.ts'
import { toastRefusal, useFailureToast } from './sign-in-errors.ts'
import type { SignInOfPage } from './use-sign-in.ts'

/** A requested code and the actions of its dialog. The code belongs to a sign-in or to a confirmation. */
export type CodeEntry = Pick<
  SignInOfPage,
  'role' | 'status' | 'phone' | 'name' | 'limits' | 'offered' | 'requestCode' | 'verifyCode' | 'resetOtp'
> & {
  /** The address that a code by e-mail is sent to. */
  readonly email?: string
  /** The text of the button that leaves the dialog. Left out: the button lets the user change the number. */
  readonly leave?: string
}

interface CodeDialogProps {
  readonly signIn: SignInOfPage
  /** The field that gets the focus when the dialog is closed. */
  readonly returnTo: () => HTMLElement | null
}

/** Open while a code is pending. */
export function CodeDialog({ signIn, returnTo }: CodeDialogProps) {
  const { t } = useTranslation('sessions')
  const { code } = signIn
  if (code === null) return null
  return (
    <Overlay
      kind="full"
      title={t('code.title')}
      onClose={signIn.resetOtp}
      isLocked={signIn.status === 'loading'}
      returnTo={returnTo}
    >
      <CodeForm signIn={signIn} sent={code} />
    </Overlay>
  )
}

interface CodeFormProps {
  readonly signIn: CodeEntry
  readonly sent: SentCode
}

/** Agents get no codes by e-mail. */
const agentNewsKey = (channel: SentCode['channel']) =>
  channel === 'email' ? 'agentCode.news.sms' : (`agentCode.news.${channel}` as const)

const earlierKey = (role: CodeEntry['role']) => (role === 'agent' ? 'agentCode.earlier' : 'code.earlier')

/**
 * The text that a screen reader announces about a code. An agent's number that is not registered gets no code and the same
 * answer, so agents read only what holds for both.
 */
function newsKey(
  role: CodeEntry['role'],
  { channel, isEarlier }: SentCode,
  hasResent: boolean,
): ParseKeys<'sessions'> {
  if (isEarlier) return earlierKey(role)
  if (role === 'agent') return channel === 'sms' && hasResent ? 'agentCode.resent' : agentNewsKey(channel)
  if (channel !== 'sms') return `code.news.${channel}`
  return hasResent ? 'code.resent' : 'code.sent'
}

/** The text before the phone number that the code was requested for. */
function sentToKey(role: CodeEntry['role'], { channel, isEarlier }: SentCode): ParseKeys<'sessions'> {
  if (role === 'agent') return isEarlier ? 'agentCode.sentEarlier' : agentNewsKey(channel)
  return channel === 'call' && !isEarlier ? 'code.news.call' : `code.sentTo.${channel}`
}

/**
 * Entry, verification and resending of one code. Only this component holds the typed code, so closing it clears the code (spec
 * §2). `isLocked`: no code can be checked now.
 */
function useCodeEntry({ signIn, sent }: CodeFormProps, isLocked: boolean) {
  const { t } = useTranslation('sessions')
  const { isUsedUp } = sent
  const { role, phone, name } = signIn
  const resendId = useId()
  const [news, setNews] = useState('')
  const hasResent = useRef(false)
  /**
   * True once a code typed digit by digit was sent automatically. After a refusal the user sends the corrected code by the
   * button.
   */
  const hasSentItself = useRef(false)
  useFailureToast(true)
  const form = useForm({
    values: { code: '' },
    check: ({ code }) => ({ code: isCodeComplete(code) ? undefined : t('errors.code') }),
    send({ code }) {
      hideToast()
      return signIn.verifyCode(code)
    },
    onSent(isRight) {
      if (!isRight) form.reset()
    },
    onRefused: toastRefusal,
  })
  const { element } = form
  const resending = useSingleMutation({
    mutationFn: (channel: SendChannel) => signIn.requestCode({ phone, name, channel }),
    onSuccess(isSent) {
      if (!isSent) return
      hasSentItself.current = false
      form.reset()
      takeFocus(element.current)
    },
    onError: (error) => showToast(problemText(error)),
  })
  const isBusy = form.isSending || resending.isPending

  useEffect(
    () => takeFocus(isUsedUp ? document.getElementById(resendId) : element.current),
    [isUsedUp, resendId, element],
  )
  // After the dialog is mounted: a live region mounted together with its text is not announced. A request that sent
  // nothing must not be announced as a message sent.
  useEffect(() => {
    setNews(sent.isUsedUp ? t('code.usedUp') : t(newsKey(role, sent, hasResent.current)))
  }, [t, role, sent])

  function verify(change?: { readonly code: string }): void {
    if (!isBusy && !isLocked) form.send(change)
  }

  return {
    form,
    resendId,
    isBusy,
    news,
    verify,
    complete(code: string, before: string): void {
      // A pasted or autofilled code is always sent automatically.
      if (!isFilledAtOnce(before, code) && hasSentItself.current) return
      hasSentItself.current = true
      verify({ code })
    },
    resend(channel: SendChannel): void {
      if (isBusy) return
      hideToast()
      setNews('')
      hasResent.current = true
      resending.mutate(channel)
    },
  }
}

/** The fields and buttons for one code that was sent. */
export function CodeForm(props: CodeFormProps) {
  const { signIn, sent } = props
  const { phone } = signIn
  const { isUsedUp } = sent
  const { t } = useTranslation('sessions')
  const checkLimit = useLimit(signIn, 'check', phone)
  const sendLimit = useLimit(signIn, 'send', phone, sent.channel)
  const shownLimit = useNewestLimit(signIn, 'send', phone)
  const checkLimitId = useId()
  const sendLimitId = useId()
  const isLocked = isUsedUp || isWaiting(checkLimit)
  const { form, resendId, isBusy, news, verify, complete, resend } = useCodeEntry(props, isLocked)
  const { faults, problem } = form
  const { channels, isUndelivered } = useOtherChannels(signIn, sent)
  const sendAgain = () => resend(sent.channel)

  return (
    <Form form={form} className={classes(layout.stack, layout.gap4, styles.form)} onSend={() => verify()}>
      <SentTo signIn={signIn} sent={sent} />
      <LimitNotice id={checkLimitId} current={checkLimit} />
      <AgentPairing {...{ signIn, isBusy }} limit={checkLimit ?? shownLimit} onSend={sendAgain} />
      <CodeField
        form={form}
        name="code"
        onComplete={complete}
        error={isUsedUp ? t('code.usedUp') : (faults.code ?? (problem ? problemText(problem) : undefined))}
        hint={t('code.validFor', { count: minutesValid(sent) })}
        isReadOnly={isUsedUp}
        isByEmail={sent.channel === 'email'}
      />
      <Announced>{news}</Announced>
      <Announced>
        {isUndelivered ? t('channels.undelivered') : channels.length > 0 ? t('channels.title') : ''}
      </Announced>
      <LimitNotice id={sendLimitId} current={shownLimit} />
      <div ref={focusPlace} id={resendId} tabIndex={-1} className={styles.codeResend}>
        {sent.isEarlier && !isUsedUp ? <p>{t(earlierKey(signIn.role))}</p> : null}
        {!isWaiting(sendLimit) ? (
          <Resend {...{ sent, isBusy }} isNeeded={isUsedUp} onResend={sendAgain} />
        ) : null}
        <OtherChannels
          {...{ signIn, channels, isUndelivered, isBusy }}
          from={signIn.offered?.at}
          onChoose={resend}
        />
        {signIn.role === 'agent' ? <AgentHelp /> : null}
      </div>
      <Tents />
      <VerifyButton
        {...{ isUsedUp, isLocked }}
        isVerifying={form.isSending}
        limitId={checkLimit === undefined ? undefined : checkLimitId}
      />
    </Form>
  )
}

interface VerifyButtonProps {
  readonly isUsedUp: boolean
  readonly isLocked: boolean
  readonly isVerifying: boolean
  /** The id of the notice that explains why the field is locked. */
  readonly limitId: string | undefined
}

function VerifyButton({ isUsedUp, isLocked, isVerifying, limitId }: VerifyButtonProps) {
  const { t } = useTranslation('sessions')
  return (
    <div className={buttonStyles.dock}>
      <Button
        type="submit"
        look={isUsedUp ? undefined : 'primary'}
        isWide
        className={isLocked ? styles.isLimited : undefined}
        isBusy={isVerifying || isLocked}
        aria-describedby={limitId}
      >
        {isVerifying ? t('code.verifying') : t('code.verify')}
      </Button>
    </div>
  )
}

/** Tells an agent whom to contact when no code comes: the number may not be registered. */
function AgentHelp() {
  const { t } = useTranslation('sessions')
  const contact = useConfig()?.contact
  if (contact === undefined) return null
  return (
    <p className={styles.codeHelp}>
      {t('agentCode.help')} <ContactLinks contact={contact} />
    </p>
  )
}

function SentTo({ signIn, sent }: CodeFormProps) {
  const { t } = useTranslation('sessions')
  const { channel, isEarlier } = sent
  const isRinging = channel === 'call' && !isEarlier
  return (
    <>
      <p className={styles.intro}>
        <span>{t(sentToKey(signIn.role, sent))}</span>{' '}
        <b className={styles.codePhone}>
          {channel === 'email' ? (
            <EmailText>{signIn.email ?? ''}</EmailText>
          ) : (
            <PhoneText>{signIn.phone}</PhoneText>
          )}
        </b>
        {isRinging ? <span className={styles.codeAnswer}>{t('code.answer')}</span> : null}
      </p>
      <Button
        look="quiet"
        className={styles.codeChange}
        isBusy={signIn.status === 'loading'}
        onClick={signIn.resetOtp}
      >
        {signIn.leave ?? t('code.changeNumber')}
      </Button>
    </>
  )
}

interface ResendProps {
  sent: SentCode
  /** The code is used up: the user can only request a new one. */
  isNeeded: boolean
  isBusy: boolean
  onResend: () => void
}

/** The countdown until the same channel can send another code, then the button. Screen readers do not read each second. */
function Resend({ sent, isNeeded, isBusy, onResend }: ResendProps) {
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const seconds = useSecondsUntil(sent.resendAt)
  if (seconds > 0) return <p>{t('code.resendAfter', { time: waitText(seconds) })}</p>
  return (
    <p>
      {isNeeded ? null : <span>{t('code.notReceived')}</span>}{' '}
      <Button look={isNeeded ? 'primary' : 'quiet'} isWide={isNeeded} isBusy={isBusy} onClick={onResend}>
        {isNeeded ? t('code.sendNew') : t(`code.resend.${sent.channel}`)}
      </Button>
    </p>
  )
}
