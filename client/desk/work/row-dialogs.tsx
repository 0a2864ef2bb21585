import { Button, Flex, Form, Radio } from 'antd'
import { Link } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { ActDialog, ReasonDialog, TextItem, useActForm } from '../act-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import { orderPath } from '../pages.ts'
import { useEndRow, useHand, useWork } from './work.queries.ts'

const handNoteLength = { least: 5, most: 500 } as const

interface TakenProps {
  readonly row: WorkRow
  /** The server’s text when a colleague was quicker. */
  readonly refusal: string | undefined
  readonly isPending: boolean
  readonly onTake: () => void
  readonly onClose: () => void
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
  readonly row: WorkRow
  readonly by: string
  readonly onClose: () => void
}

interface HandFields {
  readonly to: string
  readonly note: string
}

export function Hand({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const colleagues = useWork().data?.colleagues ?? []
  const hand = useHand()
  const form = useActForm({
    by,
    name: `hand ${row.kind} ${row.id}`,
    act: (fields: HandFields, key) =>
      hand.mutateAsync({ row, value: { to: fields.to, note: fields.note, key } }),
    onDone: onClose,
  })
  return (
    <ActDialog form={form} title={t('hand.title')} ok={t('hand.ok')} onClose={onClose}>
      <p>{row.text}</p>
      {colleagues.length === 0 ? (
        <p>{t('hand.none')}</p>
      ) : (
        <Form.Item name="to" rules={[{ required: true, type: 'enum', enum: colleagues.map(({ id }) => id) }]}>
          <Radio.Group
            vertical
            aria-label={t('hand.to')}
            options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Form.Item>
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
      act={(reason, key) => end.mutateAsync({ row, value: { reason, key } })}
      onClose={onClose}
    >
      <p>{row.text}</p>
      <p>{t('end.what')}</p>
    </ReasonDialog>
  )
}
