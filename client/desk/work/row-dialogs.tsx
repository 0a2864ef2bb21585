import { Button, Radio } from 'antd'
import { Link } from 'react-router-dom'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { durationText } from '#shared/platform/duration.ts'
import { ActDialog } from '../act-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { useDraftFields } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import { orderPath } from '../pages.ts'
import styles from './work.module.css'
import { useEndRow, useHand, useWork } from './work.queries.ts'

const handNoteLength = { least: 5, most: 500 } as const

interface TakenProps {
  readonly row: WorkRow
  /** The server’s word, where another was quicker. */
  readonly refusal: string | undefined
  readonly isPending: boolean
  readonly onTake: () => void
  readonly onClose: () => void
}

/** A colleague has it. */
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
        <div className={styles.foot}>
          {orderId === null ? null : <Link to={`${orderPath(orderId)}?act=note`}>{t('taken.note')}</Link>}
          <Button onClick={onClose}>{t('taken.leave')}</Button>
          <Button type="primary" loading={isPending} onClick={onTake}>
            {t('taken.ok')}
          </Button>
        </div>
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

export function Hand({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const colleagues = useWork().data?.colleagues ?? []
  const place = `hand ${row.kind} ${row.id}`
  const [{ to }, change] = useDraftFields<{ to?: string }>(by, place, {})
  const hand = useHand()
  return (
    <ActDialog
      title={t('hand.title')}
      ok={t('hand.ok')}
      by={by}
      place={place}
      label={t('hand.note')}
      length={handNoteLength}
      isReady={colleagues.some(({ id }) => id === to)}
      act={(note, key) => hand.mutateAsync({ row, value: { to: to ?? '', note, key } })}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{row.text}</p>
      {colleagues.length === 0 ? (
        <p>{t('hand.none')}</p>
      ) : (
        <Radio.Group
          vertical
          aria-label={t('hand.to')}
          value={to}
          onChange={({ target }) => change({ to: target.value })}
          options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </ActDialog>
  )
}

export function End({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const end = useEndRow()
  return (
    <ActDialog
      title={t('end.title')}
      ok={t('end.ok')}
      by={by}
      place={`end ${row.kind} ${row.id}`}
      label={t('end.reason')}
      act={(reason, key) => end.mutateAsync({ row, value: { reason, key } })}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{row.text}</p>
      <p>{t('end.what')}</p>
    </ActDialog>
  )
}
