import { Alert, Button, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import type { WorkRow } from '#shared/work/work.schemas.ts'
import { ActDialog } from '../act-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { isolated } from '../isolated.ts'
import { orderPath } from '../pages.ts'
import { formatAge } from '../times.ts'
import styles from './work.module.css'
import { useEndRow, useHand, useRelease, useTake, useWork } from './work.queries.ts'
import { pressOf } from './work.rules.ts'

const handNoteLength = { least: 5, most: 500 } as const

interface Asked {
  readonly what: 'over' | 'hand' | 'end'
  readonly row: WorkRow
}

export interface RowActs {
  /** What is free or stands still is taken at once; for what a colleague has it asks first. */
  take(row: WorkRow): void
  release(row: WorkRow): void
  hand(row: WorkRow): void
  /** Nothing is left to do about it. */
  end(row: WorkRow): void
  readonly isPending: boolean
  /** What asks back, and what was refused. */
  readonly parts: ReactNode
}

/** What a person does with rows of work lists. @param rows as they are now @param by the signed-in person */
export function useRowActs(rows: readonly WorkRow[], by: string): RowActs {
  const [asked, setAsked] = useState<Asked>()
  const take = useTake()
  const release = useRelease()
  const close = () => setAsked(undefined)
  const takeRow = (row: WorkRow, over: boolean) =>
    take.mutate(
      { row, value: { over } },
      {
        onSuccess: close,
        // Another was quicker: the dialog says who.
        onError: (error) => isTaken(error) && setAsked({ what: 'over', row }),
      },
    )
  const newest = ({ kind, id }: WorkRow) => rows.find((row) => row.kind === kind && row.id === id)
  const error = [take.error, release.error].find((each) => each !== null && !isTaken(each))
  return {
    take: (row) => (pressOf(row) === 'ask' ? setAsked({ what: 'over', row }) : takeRow(row, false)),
    release: (row) => release.mutate({ row, value: undefined }),
    hand: (row) => setAsked({ what: 'hand', row }),
    end: (row) => setAsked({ what: 'end', row }),
    isPending: take.isPending || release.isPending,
    parts: (
      <>
        {error ? <Alert type="error" showIcon role="alert" title={problemText(error)} /> : null}
        {asked?.what === 'over' ? (
          <Taken
            row={newest(asked.row) ?? asked.row}
            refusal={isTaken(take.error) ? problemText(take.error) : undefined}
            isPending={take.isPending}
            onTake={() => takeRow(newest(asked.row) ?? asked.row, true)}
            onClose={close}
          />
        ) : null}
        {asked?.what === 'hand' ? <Hand row={asked.row} by={by} onClose={close} /> : null}
        {asked?.what === 'end' ? <End row={asked.row} by={by} onClose={close} /> : null}
      </>
    ),
  }
}

const isTaken = (error: unknown) => isCallProblem(error) && error.code === 'WORK_TAKEN'

interface TakenProps {
  readonly row: WorkRow
  /** The server’s word, where another was quicker. */
  readonly refusal: string | undefined
  readonly isPending: boolean
  readonly onTake: () => void
  readonly onClose: () => void
}

const minuteMs = 60_000

/** A colleague has it. */
function Taken({ row, refusal, isPending, onTake, onClose }: TakenProps) {
  const { t } = useTranslation('desk-work')
  const language = useLanguage()
  const now = useNow(minuteMs)
  const { taken, orderId } = row
  const held =
    taken === null
      ? t('taken.title')
      : t('taken.text', {
          name: isolated(taken.name),
          time: formatAge(now - Date.parse(taken.since), language),
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
            {t('take')}
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

function Hand({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const colleagues = useWork().data?.colleagues ?? []
  const [to, setTo] = useState<string>()
  const hand = useHand()
  return (
    <ActDialog
      title={t('hand.title')}
      ok={t('hand.ok')}
      by={by}
      place={`hand ${row.kind} ${row.id}`}
      label={t('hand.note')}
      length={handNoteLength}
      isReady={to !== undefined}
      act={(note) => hand.mutateAsync({ row, value: { to: to ?? '', note } })}
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
          onChange={({ target }) => setTo(target.value)}
          options={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </ActDialog>
  )
}

function End({ row, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-work')
  const end = useEndRow()
  return (
    <ActDialog
      title={t('end.title')}
      ok={t('end.ok')}
      by={by}
      place={`end ${row.kind} ${row.id}`}
      label={t('end.reason')}
      act={(reason) => end.mutateAsync({ row, value: { reason } })}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{row.text}</p>
      <p>{t('end.what')}</p>
    </ActDialog>
  )
}
