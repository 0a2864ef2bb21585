import { Button } from 'antd'
import { useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { Card } from '../card.tsx'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import table from '../rows.module.css'
import { Rows } from '../rows.tsx'
import { say } from '../said.tsx'
import { Loaded } from '../states.tsx'
import { changeWorker, endEveryone, useWorkers, useWorkersRefresh, type Worker } from './workers.queries.ts'

/** Background work, which a lead pauses and resumes on all gateways; and the end of everyone’s session. */
export function WorkersPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-workers')
  const workers = useWorkers()
  const [asked, setAsked] = useState<Worker | 'sessions'>()
  const isOffline = useConnection() === 'offline'
  const close = () => setAsked(undefined)
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded query={workers} failed={t('failed')}>
        {(data) => <WorkerRows workers={data} isOff={isOffline} onChange={setAsked} />}
      </Loaded>
      <Card
        title={t('everyone.title')}
        action={
          <Button size="small" danger disabled={isOffline} onClick={() => setAsked('sessions')}>
            {t('everyone.open')}
          </Button>
        }
      >
        <p>{t('everyone.text')}</p>
      </Card>
      {asked === 'sessions' ? <EveryoneDialog by={staff.name} onClose={close} /> : null}
      {asked !== undefined && asked !== 'sessions' ? (
        <WorkerDialog worker={asked} by={staff.name} onClose={close} />
      ) : null}
    </>
  )
}

interface WorkerRowsProps {
  readonly workers: readonly Worker[]
  readonly isOff: boolean
  readonly onChange: (worker: Worker) => void
}

function WorkerRows({ workers, isOff, onChange }: WorkerRowsProps) {
  const { t } = useTranslation('desk-workers')
  const moment = useMoment()
  return (
    <Rows columns={[t('column.name'), t('column.waiting'), t('column.state'), t('column.act')]}>
      {workers.map((worker) => {
        const { name, pausedAt, waiting } = worker
        return (
          <tr key={name}>
            <th scope="row">
              <b>{t(`name.${name}`, { defaultValue: name })}</b>
              <span className={table.small}>
                <Ltr>{name}</Ltr>
              </span>
            </th>
            <td>{waiting ?? '–'}</td>
            <td>
              {pausedAt === null ? (
                <Mark tone="good">{t('runs')}</Mark>
              ) : (
                <Mark tone="bad" icon="alert">
                  {t('paused', { since: moment(pausedAt) })}
                </Mark>
              )}
            </td>
            <td>
              <Button size="small" disabled={isOff} onClick={() => onChange(worker)}>
                {t(pausedAt === null ? 'act.pause.open' : 'act.resume.open')}
              </Button>
            </td>
          </tr>
        )
      })}
    </Rows>
  )
}

interface WorkerDialogProps {
  readonly worker: Worker
  readonly by: string
  readonly onClose: () => void
}

function WorkerDialog({ worker, by, onClose }: WorkerDialogProps) {
  const { t } = useTranslation('desk-workers')
  const refresh = useWorkersRefresh()
  const act = worker.pausedAt === null ? 'pause' : 'resume'
  const name = t(`name.${worker.name}`, { defaultValue: worker.name })
  return (
    <ActDialog
      title={t(`act.${act}.title`, { name })}
      ok={t(`act.${act}.ok`)}
      isDangerous={act === 'pause'}
      by={by}
      place={`${act} ${worker.name}`}
      label={t('reason')}
      act={(reason, key) => changeWorker(worker, reason, key)}
      onDone={() => {
        refresh()
        say(t(`act.${act}.done`, { name }))
        onClose()
      }}
      onRefused={refresh}
      onClose={onClose}
    >
      <p>
        {t(worker.waiting === null ? `act.${act}.what` : `act.${act}.waiting`, {
          number: worker.waiting ?? 0,
        })}
      </p>
    </ActDialog>
  )
}

function EveryoneDialog({ by, onClose }: { readonly by: string; readonly onClose: () => void }) {
  const { t } = useTranslation('desk-workers')
  return (
    <ActDialog
      title={t('everyone.ask')}
      ok={t('everyone.ok')}
      isDangerous
      by={by}
      place="end all sessions"
      label={t('reason')}
      act={endEveryone}
      onDone={() => {
        say(t('everyone.asked'))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('everyone.text')}</p>
    </ActDialog>
  )
}
