import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ownAccountQuery } from '#client/session/own-account.query.ts'
import { Announced } from '#client/ui/announced.tsx'
import { Button } from '#client/ui/button.tsx'
import { EmailText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import { Problem } from '#client/ui/problem.tsx'
import textStyles from '#client/ui/text.module.css'
import { readEmail } from '#shared/sessions/email-address.ts'
import { addEmail, removeEmail, verifyEmail } from '#shared/sessions/emails.operations.ts'
import { isCodeComplete } from './code.rules.ts'
import { CodeField } from './code-field.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { EmailField } from './email-field.tsx'
import styles from './own-email.module.css'
import { refusalOf } from './refusal.ts'
import { type Confirming, useConfirmation } from './use-confirmation.ts'
import { useTypedCode } from './use-typed-code.ts'

interface OwnEmailProps {
  /** One line on the way to paying, or a row of the account. */
  readonly kind: 'line' | 'row'
  /** The account is deleted: it is not asked about any more. */
  readonly isOver?: boolean
}

/** The address of the signed-in user: shown, proven by a code, removed. Nothing where none are offered. */
export function OwnEmail({ kind, isOver = false }: OwnEmailProps) {
  const { t } = useTranslation('emails')
  const queries = useQueryClient()
  const { data, error } = useQuery({ ...ownAccountQuery, enabled: !isOver })
  const [isOpen, setIsOpen] = useState(false)
  const [news, setNews] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const hasClosed = useRef(false)
  const refresh = () => queries.invalidateQueries({ queryKey: ownAccountQuery.queryKey })
  const remove = useMutation({
    mutationFn: () => call(removeEmail),
    onSuccess: () => setNews(t('removed')),
    onSettled: refresh,
  })
  const confirmation = useConfirmation()
  const email = data?.success ? data.email : undefined

  useEffect(() => {
    // The focused form is unmounted: focus returns to the button that opened it.
    if (!isOpen && hasClosed.current) opener.current?.focus()
    hasClosed.current = false
  }, [isOpen])

  function close(announcement = ''): void {
    hasClosed.current = true
    setNews(announcement)
    setIsOpen(false)
  }

  if (kind === 'row' && data === undefined && error !== null)
    return (
      <div className={styles.row}>
        <Problem error={error} />
      </div>
    )
  if (email === undefined) return null
  return (
    <div className={kind === 'row' ? styles.row : styles.line}>
      {isOpen ? (
        <EmailForm
          confirming={confirmation.confirming}
          onCancel={() => close()}
          onProven={async () => {
            await refresh()
            close(t('proven'))
          }}
        />
      ) : (
        <Shown kind={kind} email={email} problem={remove.error}>
          <Button
            ref={opener}
            look="quiet"
            className={styles.open}
            onClick={() => {
              setNews('')
              setIsOpen(true)
            }}
          >
            {email === null ? t(kind === 'line' ? 'addLine' : 'add') : t('change')}
          </Button>
          {email !== null && kind === 'row' ? (
            <Button
              look="quiet"
              className={styles.open}
              isBusy={remove.isPending}
              onClick={() => void confirmation.confirming('email-removal', () => remove.mutateAsync())}
            >
              {t('remove')}
            </Button>
          ) : null}
        </Shown>
      )}
      <Announced>{news}</Announced>
      <ConfirmDialog confirmation={confirmation} />
    </div>
  )
}

interface ShownProps {
  readonly kind: OwnEmailProps['kind']
  readonly email: string | null
  readonly problem: unknown
  /** What can be done. */
  readonly children: ReactNode
}

function Shown({ kind, email, problem, children }: ShownProps) {
  const { t } = useTranslation('emails')
  return (
    <div className={styles.shown}>
      <div className={styles.pair}>
        {email === null && kind === 'line' ? null : (
          <dl className={styles.fact}>
            <Fact name={t(kind === 'line' ? 'alsoTo' : 'email')}>
              {email === null ? t('none') : <EmailText>{email}</EmailText>}
            </Fact>
          </dl>
        )}
        {kind === 'row' ? <p className={textStyles.hint}>{t('text')}</p> : null}
        {kind === 'row' && email !== null ? (
          <p className={textStyles.hint}>
            <Link to={paths.recoverThen(paths.account)}>{t('recovery.link')}</Link>
          </p>
        ) : null}
        <Problem error={problem} />
      </div>
      <div className={styles.ways}>{children}</div>
    </div>
  )
}

interface CodeFormProps {
  readonly onCancel: () => void
  readonly onProven: () => Promise<void>
}

interface EmailFormProps extends CodeFormProps {
  readonly confirming: Confirming
}

/** The address, confirmed by a code to the number, then the code that was sent to the address. */
function EmailForm({ confirming, onCancel, onProven }: EmailFormProps) {
  const { t } = useTranslation('emails')
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const send = useMutation({
    mutationFn: (email: string) => call(addEmail, { body: { email } }),
    onError: (error) => {
      const { field, message } = refusalOf(error, t('failed'))
      if (field === 'email') refuse(message)
    },
  })

  // At first, and for another address after a code.
  useEffect(() => {
    if (!send.isSuccess) input.current?.focus()
  }, [send.isSuccess])

  function refuse(message: string): void {
    setFault(message)
    input.current?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (send.isPending) return
    const email = readEmail(typed)
    if (email === undefined) refuse(t('invalid'))
    else void confirming('email', () => send.mutateAsync(email))
  }

  if (send.isSuccess)
    return <CodeForm email={readEmail(typed) ?? ''} onCancel={() => send.reset()} onProven={onProven} />
  return (
    <form
      className={styles.form}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !send.isPending) onCancel()
      }}
      noValidate
    >
      <EmailField
        inputRef={input}
        value={typed}
        error={fault}
        hint={t('hint')}
        onChange={(next) => {
          setTyped(next)
          setFault(undefined)
          send.reset()
        }}
      />
      <Problem error={send.isError && fault === undefined ? send.error : undefined} />
      <div className={styles.actions}>
        <Button type="submit" isBusy={send.isPending}>
          {send.isPending ? t('sending') : t('send')}
        </Button>
        <Button look="quiet" isBusy={send.isPending} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

function CodeForm({ email, onCancel, onProven }: CodeFormProps & { readonly email: string }) {
  const { t } = useTranslation('emails')
  const code = useTypedCode()
  const check = useMutation({
    mutationFn: (typed: string) => call(verifyEmail, { body: { code: typed } }),
    onSuccess: onProven,
    onError: (error) => {
      const { field, message } = refusalOf(error, t('failed'))
      if (field === 'code') code.refuse(message)
    },
  })
  const isBusy = check.isPending || check.isSuccess

  useEffect(() => code.input.current?.focus(), [code.input])

  function submit(typed: string): void {
    if (isBusy) return
    if (isCodeComplete(typed)) check.mutate(typed)
    else code.refuse(t('codeInvalid'))
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit(code.value)
      }}
      noValidate
    >
      <p role="status">
        {t('sentTo')} <EmailText>{email}</EmailText>
      </p>
      <CodeField
        isByEmail
        inputRef={code.input}
        value={code.value}
        error={code.error}
        hint={t('look')}
        isReadOnly={isBusy}
        onChange={(text) => {
          check.reset()
          const complete = code.change(text)
          if (complete !== undefined) submit(complete)
        }}
      />
      <Problem error={check.isError && code.error === undefined ? check.error : undefined} />
      <div className={styles.actions}>
        <Button type="submit" isBusy={isBusy}>
          {isBusy ? t('checking') : t('check')}
        </Button>
        <Button look="quiet" isBusy={isBusy} onClick={onCancel}>
          {t('otherEmail')}
        </Button>
      </div>
    </form>
  )
}
