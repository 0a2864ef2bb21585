import { Button, Input, Radio } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { revealReasons } from '#shared/desk/audit/audit.operations.ts'
import type { Revealed } from '#shared/desk/orders/desk-orders.schemas.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { CopyButton } from '../copy-button.tsx'
import { Dialog } from '../dialog.tsx'
import { forgetDraft, useDraft, useDraftFields } from '../drafts.ts'
import { Problem } from '../states.tsx'
import styles from './order.module.css'
import { useReveal } from './orders.queries.ts'

export interface RevealProps {
  /** Also who would collect the bags once an approval is given. */
  readonly what: 'order' | 'approval'
  readonly id: number
  readonly by: string
}

const shownMs = 60_000

/** Asks why, and then shows them for a minute. */
export function RevealDialog({ what, id, by, onClose }: RevealProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('desk-orders')
  const place = `reveal ${what} ${id}`
  const [{ reason }, change] = useDraftFields<{ reason?: (typeof revealReasons)[number] }>(by, place, {})
  const [text, setText] = useDraft(by, place)
  const reveal = useReveal(what, id)
  const typed = text.trim()
  const isEnough = reason !== undefined && (reason !== 'other' || typed.length >= reasonLength.least)
  const show = () => {
    if (reason === undefined) return
    const body = { reason, ...(reason === 'other' && { text: typed }) }
    reveal.mutate(body, { onSuccess: () => forgetDraft(by, place) })
  }
  if (reveal.data) return <Shown people={reveal.data} onClose={onClose} />
  return (
    <Dialog
      open
      title={t('reveal.title')}
      onCancel={onClose}
      okText={t('reveal.open')}
      okButtonProps={{ disabled: !isEnough, loading: reveal.isPending }}
      onOk={show}
    >
      <p>{t('reveal.what')}</p>
      <div className={styles.reasons}>
        <Radio.Group
          vertical
          aria-label={t('reveal.reason')}
          value={reason}
          onChange={({ target }) => change({ reason: target.value })}
          options={revealReasons.map((value) => ({ value, label: t(`reason.${value}`) }))}
        />
      </div>
      {reason === 'other' ? (
        <Input.TextArea
          aria-label={t('reveal.text')}
          placeholder={t('reveal.text')}
          rows={2}
          maxLength={reasonLength.most}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : null}
      <Problem error={reveal.error} />
    </Dialog>
  )
}

interface ShownProps {
  readonly people: Revealed & { readonly number?: string }
  readonly onClose: () => void
}

function Shown({ people, onClose }: ShownProps) {
  const { t } = useTranslation('desk-orders')
  const [until] = useState(() => Date.now() + shownMs)
  const seconds = useSecondsUntil(until)
  const isOver = seconds === 0
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOver) close()
  }, [isOver])
  const { name, phone, receiver, secondPhone, number } = people
  const title = name === null ? 'bagCard.receiver' : 'owner.title'
  return (
    <Dialog
      open
      title={t(number === undefined ? title : 'reveal.number')}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t('reveal.hide')}</Button>}
    >
      <dl className={styles.shown}>
        <Person label={t('owner.name')} value={name} />
        <Person label={t('owner.phone')} value={phone} isNumber />
        <Person label={t('bagCard.receiver')} value={receiver?.name ?? null} />
        <Person label={t('reveal.receiverPhone')} value={receiver?.phone ?? null} isNumber />
        <Person label={t('reveal.secondPhone')} value={secondPhone} isNumber />
        <Person label={t('reveal.number')} value={number ?? null} isNumber />
      </dl>
      <p>{t('reveal.left', { seconds })}</p>
    </Dialog>
  )
}

interface PersonProps {
  readonly label: string
  readonly value: string | null
  readonly isNumber?: boolean
}

function Person({ label, value, isNumber = false }: PersonProps) {
  if (value === null) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{isNumber ? <Ltr>{value}</Ltr> : <bdi>{value}</bdi>}</dd>
      {isNumber ? <CopyButton text={value} /> : null}
    </div>
  )
}
