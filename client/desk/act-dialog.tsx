import { Alert, Button, Input } from 'antd'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { claimNumber, claimNumberIn } from '#shared/claims/claims.operations.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import styles from './act-dialog.module.css'
import { DeskIcon } from './desk-icon.tsx'
import { Dialog } from './dialog.tsx'
import { forgetDraft, useDraft } from './drafts.ts'
import { isSendKey } from './keys.ts'
import { Labelled } from './labelled.tsx'
import { claimPath } from './pages.ts'
import { useSending } from './sending.ts'
import { useSignInAddress } from './sign-in-address.ts'

interface ActDialogProps<A> {
  readonly title: string
  /** What will happen, in facts. */
  readonly children?: ReactNode
  /** Names the act. */
  readonly ok: string
  readonly isDangerous?: boolean
  /** The signed-in person, and the place of what is filled in, also beside the text: it is kept until it is sent. */
  readonly by: string
  readonly place: string
  readonly label: string
  readonly length?: { readonly least: number; readonly most: number }
  readonly rows?: number
  /** What else there is to fill in is filled in. */
  readonly isReady?: boolean
  /** What has changed since the dialog was opened. */
  readonly changed?: string | undefined
  /** @param key see `useSending` */
  readonly act: (text: string, key: string) => Promise<A>
  readonly onDone: (answer: A) => void
  /** What is shown may have changed. */
  readonly onRefused?: () => void
  readonly onClose: () => void
}

/** What is typed, kept until it is sent, and the call. */
function useAct<A>({ by, place, act, onDone, onRefused }: ActDialogProps<A>) {
  const [text, setText] = useDraft(by, place)
  const { send, isPending, error } = useSending((typed: string, key) => act(typed, key), {
    onSuccess: (answer) => {
      forgetDraft(by, place)
      onDone(answer)
    },
    onError: (failure) => (isFinal(failure) || mayGoOn(failure)) && onRefused?.(),
  })
  return { text, setText, send: () => send(text.trim()), isPending, error }
}

/** Asks back before an act: what will happen, why, and a button that names it. */
export function ActDialog<A>(props: ActDialogProps<A>) {
  const { title, children, ok, isDangerous = false, label, changed, onClose } = props
  const { length = reasonLength, rows = 3, isReady = true } = props
  const { t } = useTranslation('desk')
  const { text, setText, send, isPending, error } = useAct(props)
  const body = useRef<HTMLDivElement>(null)
  const isOffline = useConnection() === 'offline'
  const isEnough = isReady && text.trim().length >= length.least && !isOffline && !isFinal(error)
  return (
    <Dialog
      open
      title={title}
      onCancel={onClose}
      // Where filling in begins.
      afterOpenChange={(isOpen) =>
        isOpen && body.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      }
      footer={
        <>
          <Button onClick={onClose}>{t('act.close')}</Button>
          <Button type="primary" danger={isDangerous} disabled={!isEnough} loading={isPending} onClick={send}>
            {ok}
          </Button>
        </>
      }
    >
      <div ref={body} className={styles.body}>
        {children}
        <Labelled text={label}>
          <Input.TextArea
            rows={rows}
            maxLength={length.most}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => isSendKey(event) && isEnough && send()}
          />
        </Labelled>
        {changed === undefined ? null : (
          <Alert type="warning" showIcon role="alert" title={t('act.changed', { what: changed })} />
        )}
        {isOffline ? <p className={styles.hint}>{t('act.offline')}</p> : null}
        <ActProblem error={error} />
      </div>
    </Dialog>
  )
}

/** A colleague has it, or the owner has written: another press, once the page shows that, goes on. */
export const mayGoOn = (error: unknown): boolean =>
  isCallProblem(error) && ['WORK_TAKEN', 'DESK_CLAIM_UNREAD'].includes(error.code)

/** Another press would be refused again. */
export const isFinal = (error: unknown): boolean =>
  isCallProblem(error) && [403, 404, 409].includes(error.status) && !mayGoOn(error)

/** Where another claim is what stands in the way. */
function ToClaim({ text }: { readonly text: string }) {
  const { t } = useTranslation('desk')
  const id = claimNumberIn(text)
  return id === undefined ? null : (
    <Link to={claimPath(id)}>{t('act.toClaim', { number: claimNumber(Number(id)) })}</Link>
  )
}

/** Why it was not done, and the way on where there is one. */
export function ActProblem({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('desk')
  const again = useSignInAddress({ again: true })
  if (error === null) return null
  if (isCallProblem(error) && error.code === 'REAUTHENTICATION_REQUIRED')
    return (
      <Alert
        type="info"
        showIcon
        icon={<DeskIcon name="lock" />}
        role="alert"
        title={t('act.again')}
        description={t('act.againText')}
        action={
          <Button href={again} type="primary">
            {t('act.againGo')}
          </Button>
        }
      />
    )
  const isRefusal = isCallProblem(error) && error.status >= 400 && error.status < 500
  const fields = isCallProblem(error) ? error.fields.map(({ message }) => message) : []
  return (
    <Alert
      type={isRefusal ? 'warning' : 'error'}
      showIcon
      role="alert"
      title={problemText(error)}
      action={<ToClaim text={problemText(error)} />}
      description={fields.length > 0 ? fields.join(' ') : undefined}
    />
  )
}
