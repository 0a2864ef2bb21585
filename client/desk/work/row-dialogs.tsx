import { Button, Flex } from 'antd'
import { Link } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { ActDialog, ChoiceItem, ReasonDialog, TextItem, useActForm } from '../act-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import { orderPath } from '../pages.ts'
import { useEndRow, useHand, useWork } from './work.queries.ts'

const handNoteLength = { least: 5, most: 500 } as const

interface TakenProps {
  row: WorkRow
  /** The server’s text when a colleague was quicker. */
  refusal: string | undefined
  isPending: boolean
  onTake: () => void
  onClose: () => void
}

/** Says that a colleague has the row, and asks whether to take it over. */
export function Taken({ row, refusal, isPending, onTake, onClose }: TakenProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useMinute()
  const { taken, orderId } = row
  const held =
    taken === null
      ? t('taken.title')
      : t('taken.text', {
          name: isolated(taken.name),
          time: durationText(now - Date.parse(taken.since), language),
        })
  return (
    <Dialog
      open
      title={t('taken.title')}
      onCancel={onClose}
      footer={
        <Flex gap="small" align="center" justify="end" wrap>
          {orderId === null ? null : <Link to={`${orderPath(orderId)}?act=note`}>{t('taken.note')}</Link>}
          <Button onClick={onClose}>{t('taken.leave')}</Button>
          <Button type="primary" loading={isPending} onClick={onTake}>
            {t('taken.ok')}
          </Button>
        </Flex>
      }
    >
      <p>{refusal ?? held}</p>
    </Dialog>
  )
}

interface DialogProps {
  row: WorkRow
  by: string
  onClose: () => void
}

export function Hand({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const colleagues = useWork().data?.colleagues ?? []
  const hand = useHand()
  const form = useActForm({
    by,
    name: `hand ${row.kind} ${row.id}`,
    act: ({ to, note }: { to: string; note: string }, key) =>
      hand.mutateAsync({ row, value: { to, note, key } }),
    onDone: onClose,
  })
  return (
    <ActDialog form={form} title={t('hand.title')} ok={t('hand.ok')} onClose={onClose}>
      <p>{row.text}</p>
      {colleagues.length === 0 ? (
        <p>{t('hand.none')}</p>
      ) : (
        <ChoiceItem
          name="to"
          label={t('hand.to')}
          options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextItem name="note" label={t('hand.note')} length={handNoteLength} />
    </ActDialog>
  )
}

export function End({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const end = useEndRow()
  return (
    <ReasonDialog
      title={t('end.title')}
      ok={t('end.ok')}
      by={by}
      name={`end ${row.kind} ${row.id}`}
      label={t('end.reason')}
      act={({ reason }, key) => end.mutateAsync({ row, value: { reason, key } })}
      onClose={onClose}
    >
      <p>{row.text}</p>
      <p>{t('end.what')}</p>
    </ReasonDialog>
  )
}
