import { Button } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { revealReasons } from '#shared/desk/audit/audit.operations.ts'
import type { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import type { Revealed } from '#shared/desk/orders/desk-orders.schemas.ts'
import { ActDialog, ChoiceItem, TextItem, useActForm } from '../act-dialog.tsx'
import { Facts } from '../card.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Dialog } from '../dialog.tsx'
import { reveal } from './orders.queries.ts'

export interface RevealProps {
  /** `approval` shows the requested new receiver. */
  what: 'order' | 'approval'
  id: number
  by: string
}

const shownMs = 60_000

/** Asks for the reason, then shows names and phones for a minute. */
export function RevealDialog({ what, id, by, onClose }: RevealProps & { onClose: () => void }) {
  const { t } = useTranslation('desk-orders')
  const [people, setPeople] = useState<ShownProps['people']>()
  const form = useActForm({
    by,
    name: `reveal ${what} ${id}`,
    act: ({ reason, text }: Reveal) => reveal(what, id, { reason, ...(reason === 'other' && { text }) }),
    onDone: setPeople,
  })
  if (people) return <Shown people={people} onClose={onClose} />
  return (
    <ActDialog form={form} title={t('reveal.title')} ok={t('reveal.open')} onClose={onClose}>
      <p>{t('reveal.what')}</p>
      <ChoiceItem
        name="reason"
        label={t('reveal.reason')}
        options={revealReasons.map((value) => ({ value, label: t(`reason.${value}`) }))}
      />
      {form.values.reason === 'other' ? <TextItem name="text" label={t('reveal.text')} rows={2} /> : null}
    </ActDialog>
  )
}

interface ShownProps {
  people: Revealed & { number?: string }
  onClose: () => void
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
  const numberText = (text: string | null | undefined) =>
    text && (
      <>
        <Ltr>{text}</Ltr> <CopyButton text={text} />
      </>
    )
  return (
    <Dialog
      open
      title={t(number === undefined ? title : 'reveal.number')}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t('reveal.hide')}</Button>}
    >
      <Facts
        facts={[
          [t('owner.name'), name && <bdi key="name">{name}</bdi>],
          [t('owner.phone'), numberText(phone)],
          [t('bagCard.receiver'), receiver && <bdi key="receiver">{receiver.name}</bdi>],
          [t('reveal.receiverPhone'), numberText(receiver?.phone)],
          [t('reveal.secondPhone'), numberText(secondPhone)],
          [t('reveal.number'), numberText(number)],
        ]}
      />
      <p>{t('reveal.left', { seconds })}</p>
    </Dialog>
  )
}
