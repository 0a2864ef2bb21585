import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type FormEvent, useEffect, useRef } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { useDraft } from '../drafts.ts'
import { isSendKey, useKeys } from '../keys.ts'
import { say } from '../said.tsx'
import { Problem } from '../states.tsx'
import styles from './actions.module.css'
import { useNote } from './actions.queries.ts'

const longestNote = 2_000

interface NoteFieldProps {
  readonly orderId: number
  readonly by: string
  /** A person came here to write one. */
  readonly isAsked: boolean
}

/** A note to colleagues: a line of the timeline that is never changed or removed. */
export function NoteField({ orderId, by, isAsked }: NoteFieldProps) {
  const { t } = useTranslation('desk-actions')
  const [text, setText] = useDraft(by, `note ${orderId}`)
  const note = useNote(orderId)
  const field = useRef<TextAreaRef>(null)
  const isOffline = useConnection() === 'offline'
  const focus = () => field.current?.focus()
  useKeys({ n: focus })
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  function send(event?: FormEvent) {
    event?.preventDefault()
    if (text.trim() === '' || isOffline) return
    note.send(text.trim(), () => {
      setText('')
      say(t('note.done'))
    })
  }
  return (
    <form className={styles.note} onSubmit={send}>
      <Input.TextArea
        ref={field}
        className={styles.noteText ?? ''}
        aria-label={t('note.label')}
        placeholder={t('note.placeholder')}
        rows={1}
        maxLength={longestNote}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => isSendKey(event) && send()}
      />
      {text.trim() === '' ? null : (
        <Button htmlType="submit" disabled={isOffline} loading={note.isPending}>
          {t('note.send')}
        </Button>
      )}
      <Problem error={note.error} />
    </form>
  )
}
