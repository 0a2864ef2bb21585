import { Button, Form, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import { ActState, needed, useActForm } from '../act-dialog.tsx'
import { useKeys } from '../keys.ts'
import { useNotice } from '../notices.tsx'
import styles from './actions.module.css'
import { addNote, useRefresh } from './actions.queries.ts'

const longestNote = 2_000

interface NoteFieldProps {
  orderId: number
  by: string
  /** True when the operator came here to write a note: the field gets the focus. */
  isAsked: boolean
}

/** A note to colleagues: a line of the timeline that is never changed or removed. */
export function NoteField({ orderId, by, isAsked }: NoteFieldProps) {
  const { t } = useTranslation('desk-actions')
  const showNotice = useNotice()
  const refresh = useRefresh()
  const field = useRef<TextAreaRef>(null)
  const form = useActForm({
    by,
    name: `note ${orderId}`,
    act: ({ text }: { text: string }, key) => addNote(orderId, text, key),
    onDone() {
      refresh()
      showNotice(t('note.done'))
    },
  })
  useKeys({ n: () => field.current?.focus() })
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  return (
    <Form {...form.props} className={`${layout.cluster} ${layout.gap2} ${styles.note}`}>
      <Form.Item name="text" noStyle rules={[needed()]}>
        <Input.TextArea
          ref={field}
          className={styles.noteText ?? ''}
          aria-label={t('note.label')}
          placeholder={t('note.placeholder')}
          rows={1}
          maxLength={longestNote}
        />
      </Form.Item>
      {form.values.text?.trim() ? (
        <Button htmlType="submit" disabled={form.isOff} loading={form.isPending}>
          {t('note.send')}
        </Button>
      ) : null}
      <ActState form={form} />
    </Form>
  )
}
