import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { oneTabAtATime } from '#client/platform/one-tab.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { signedIn } from '#client/session/session.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { Scene } from '#client/ui/scene.tsx'
import { Tents } from '#client/ui/tents.tsx'
import { readEmail } from '#shared/sessions/email-address.ts'
import { recoverAccount, verifyRecovery } from '#shared/sessions/emails.operations.ts'
import styles from './auth.module.css'
import { isCodeComplete } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ContactLinks } from './contact-links.tsx'
import { EmailField } from './email-field.tsx'
import { useWaitText } from './limit-notice.tsx'
import { PhoneField, typedPhoneOf } from './phone-field.tsx'
import { phoneFault } from './phone-text.rules.ts'
import { dropRecovery, readRecovery, type SentRecovery, storeRecovery } from './recovery-draft.ts'
import { refusalOf } from './refusal.ts'
import { phoneLengthFault, useFaultText } from './sign-in-errors.ts'
import { SignInLayout } from './sign-in-form.tsx'
import { usePhoneNumber } from './use-phone-number.ts'
import { useTypedCode } from './use-typed-code.ts'

/** For who has no access to the number of the account any more. */
export function RecoverPage({ onMoved }: { readonly onMoved: () => void }) {
  const { t } = useTranslation('emails')
  const [sent, setSent] = useState(readRecovery)
  const [isBack, setIsBack] = useState(false)
  const [typed, setTyped] = useState(() => ({
    email: sent?.email ?? '',
    phone: typedPhoneOf(sent?.phone ?? ''),
  }))

  function change(next: SentRecovery | undefined): void {
    if (next) storeRecovery(next)
    else dropRecovery()
    setIsBack(next === undefined)
    setSent(next)
  }

  return (
    <SignInLayout title={t('recovery.title')} picture={<Scene name="handed-over" />} over={null}>
      {sent ? (
        <CodesForm
          sent={sent}
          onSent={change}
          onBack={() => change(undefined)}
          onMoved={() => {
            dropRecovery()
            onMoved()
          }}
        />
      ) : (
        <AskForm typed={typed} isBack={isBack} onTyped={setTyped} onSent={change} />
      )}
    </SignInLayout>
  )
}

interface Typed {
  readonly email: string
  readonly phone: ReturnType<typeof typedPhoneOf>
}

/** Asks for both codes. */
function useAsk(onSent: (sent: SentRecovery) => void, onError?: (error: Error) => void) {
  return useMutation({
    // Each answer sets the cookie that codes are bound to: two requests at once would invalidate one of the codes.
    mutationFn: (body: { email: string; phone: string }) =>
      oneTabAtATime('sign-in-code', () => call(recoverAccount, { body })),
    onSuccess: ({ expiresInSeconds, resendInSeconds }, body) => {
      const now = Date.now()
      onSent({
        ...body,
        expiresAt: now + expiresInSeconds * 1000,
        resendAt: now + resendInSeconds * 1000,
      })
    },
    ...(onError && { onError }),
  })
}

interface AskFormProps {
  readonly typed: Typed
  /** It was left for the codes, and is shown again: focus returns to it. */
  readonly isBack: boolean
  readonly onTyped: (typed: Typed) => void
  readonly onSent: (sent: SentRecovery) => void
}

type AskFaults = Partial<Record<'email' | 'phone', string | undefined>>

function AskForm({ typed, isBack, onTyped, onSent }: AskFormProps) {
  const { t } = useTranslation('emails')
  const faultText = useFaultText()
  const phoneId = useId()
  const emailInput = useRef<HTMLInputElement>(null)
  const phoneInput = useRef<HTMLInputElement>(null)
  const [faults, setFaults] = useState<AskFaults>({})
  const { number, numberOf, loadNumber, isLoading } = usePhoneNumber(typed.phone)
  const ask = useAsk(onSent, (error) => {
    const { field, message } = refusalOf(error, t('failed'))
    if (field === 'email' || field === 'phone') refuse({ [field]: message })
  })
  const isBusy = ask.isPending || isLoading
  const hasFault = faults.email !== undefined || faults.phone !== undefined

  useEffect(() => {
    if (isBack) emailInput.current?.focus()
  }, [isBack])

  function refuse(found: AskFaults): void {
    setFaults(found)
    ;(found.email === undefined ? phoneInput : emailInput).current?.focus()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const email = readEmail(typed.email)
    const phone = number ?? (await loadNumber())
    if (phone === undefined) return
    const ofPhone = phoneFault(phone)
    if (email === undefined) refuse({ email: t('invalid') })
    else if (ofPhone !== undefined) refuse({ phone: faultText({ key: ofPhone }) })
    else ask.mutate({ email, phone })
  }

  function change(next: Partial<Typed>): void {
    const { phone = typed.phone } = next
    setFaults({ phone: faultText(phoneLengthFault(numberOf(phone) ?? phone.text)) })
    ask.reset()
    onTyped({ ...typed, ...next })
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.intro}>{t('recovery.intro')}</p>
      <EmailField
        inputRef={emailInput}
        value={typed.email}
        onChange={(email) => change({ email })}
        error={faults.email}
        hint={t('recovery.emailHint')}
      />
      <PhoneField
        id={phoneId}
        inputRef={phoneInput}
        value={typed.phone}
        onChange={(phone) => change({ phone })}
        error={faults.phone}
        hint={t('recovery.phoneHint')}
      />
      <Problem error={ask.isError && !hasFault ? ask.error : undefined} />
      <Help />
      <Tents />
      <div className={buttonStyles.dock}>
        <Button type="submit" look="primary" isWide isBusy={isBusy}>
          {isBusy ? t('sending') : t('recovery.send')}
        </Button>
      </div>
    </form>
  )
}

/** For who has no address at the account, and that the demo sends nothing. */
function Help() {
  const { t } = useTranslation('emails')
  const { t: ofSignIn } = useTranslation('sessions')
  const config = useConfig()
  if (config === undefined) return null
  const { contact, demo } = config
  return (
    <>
      <p className={styles.intro}>
        {t('recovery.help')} <ContactLinks contact={contact} />
      </p>
      {demo ? <p className={styles.demo}>{ofSignIn('demo')}</p> : null}
    </>
  )
}

interface CodesFormProps {
  readonly sent: SentRecovery
  readonly onSent: (sent: SentRecovery) => void
  readonly onBack: () => void
  readonly onMoved: () => void
}

function CodesForm({ sent, onSent, onBack, onMoved }: CodesFormProps) {
  const { t } = useTranslation('emails')
  const client = useQueryClient()
  const email = useTypedCode()
  const phone = useTypedCode()
  const confirm = useMutation({
    mutationFn: (body: { emailCode: string; phoneCode: string }) => call(verifyRecovery, { body }),
    onSuccess: ({ user }) => {
      signedIn(client, { user })
      onMoved()
    },
    onError: (error) => {
      const { field, message } = refusalOf(error, t('failed'))
      if (field === 'phoneCode') phone.refuse(message)
      if (field === 'emailCode') email.refuse(message)
    },
  })
  const isBusy = confirm.isPending || confirm.isSuccess
  const hasFault = email.error !== undefined || phone.error !== undefined

  useEffect(() => email.input.current?.focus(), [email.input])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy) return
    if (!isCodeComplete(email.value)) email.refuse(t('codeInvalid'))
    else if (!isCodeComplete(phone.value)) phone.refuse(t('codeInvalid'))
    else confirm.mutate({ emailCode: email.value, phoneCode: phone.value })
  }

  const field = (name: 'emailCode' | 'phoneCode', code: ReturnType<typeof useTypedCode>) => (
    <CodeField
      label={t(`recovery.${name}`)}
      isByEmail={name === 'emailCode'}
      inputRef={code.input}
      value={code.value}
      error={code.error}
      hint={t('recovery.codeHint')}
      isReadOnly={isBusy}
      onChange={(text) => {
        confirm.reset()
        code.change(text)
      }}
    />
  )

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.intro} role="status">
        {t('recovery.sent')}
      </p>
      <Button look="quiet" className={styles.codeChange} onClick={onBack}>
        {t('recovery.back')}
      </Button>
      <NoLetter />
      {field('emailCode', email)}
      {field('phoneCode', phone)}
      <Resend sent={sent} onSent={onSent} />
      <Problem error={confirm.isError && !hasFault ? confirm.error : undefined} />
      <p className={styles.intro}>{t('recovery.ends')}</p>
      <Tents />
      <div className={buttonStyles.dock}>
        <Button type="submit" look="primary" isWide isBusy={isBusy}>
          {isBusy ? t('recovery.confirming') : t('recovery.confirm')}
        </Button>
      </div>
    </form>
  )
}

/** Said at once to everybody: the answer does not tell whether a letter was sent. */
function NoLetter() {
  const { t } = useTranslation('emails')
  const contact = useConfig()?.contact
  return (
    <p className={styles.intro}>
      <span>{t('recovery.noLetter')}</span>{' '}
      {contact === undefined ? null : <ContactLinks contact={contact} />}
    </p>
  )
}

/** Sends both codes again, once the server takes it. */
function Resend({ sent, onSent }: Pick<CodesFormProps, 'sent' | 'onSent'>) {
  const { t } = useTranslation('emails')
  const { t: ofSignIn } = useTranslation('sessions')
  const seconds = useSecondsUntil(sent.resendAt)
  const waitText = useWaitText()
  const ask = useAsk(onSent)
  const { email, phone } = sent
  return (
    <div>
      {seconds > 0 ? (
        <p className={styles.intro}>{ofSignIn('code.resendAfter', { time: waitText(seconds) })}</p>
      ) : (
        <Button
          look="quiet"
          className={styles.codeChange}
          isBusy={ask.isPending}
          onClick={() => ask.mutate({ email, phone })}
        >
          {ask.isPending ? t('sending') : t('recovery.again')}
        </Button>
      )}
      <Problem error={ask.isError ? ask.error : undefined} />
      <Announced>{ask.isSuccess ? t('recovery.sent') : ''}</Announced>
    </div>
  )
}
