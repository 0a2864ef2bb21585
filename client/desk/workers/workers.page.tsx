import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { endAllSessions } from '#shared/desk/actions/actions.operations.ts'
import { listWorkers, pauseWorker, resumeWorker } from '#shared/desk/audit/audit.operations.ts'
import type { OperationOf } from '#shared/operations.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'
import { ReasonDialog } from '../act-dialog.tsx'
import { Card } from '../card.tsx'
import { ListTable } from '../list-table.tsx'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import { keyed } from '../sending.ts'
import { Loaded } from '../states.tsx'

type Worker = ResponseOf<OperationOf<typeof listWorkers>>['workers'][number]

const queryKey = operationKey(listWorkers)
const pollMs = 30_000

/** A lead pauses and resumes background work on all gateways here, and can end every user’s session. */
export function WorkersPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-workers')
  const queries = useQueryClient()
  const workers = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(listWorkers, { signal })).workers,
    refetchInterval: pollMs,
  })
  const moment = useMoment()
  const [asked, setAsked] = useState<Worker | 'sessions'>()
  const isOffline = useConnection() === 'offline'
  const close = () => setAsked(undefined)
  const nameOf = (name: string) => t(`name.${name}`, { defaultValue: name })
  const worker = asked === 'sessions' ? undefined : asked
  const act = worker?.pausedAt === null ? 'pause' : 'resume'
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded query={workers} failed={t('failed')}>
        {(data) => (
          <ListTable
            title={t('title')}
            isTitleHidden
            dataSource={data}
            rowKey="name"
            columns={[
              {
                title: t('column.name'),
                render: (_, { name }) => (
                  <>
                    <b>{nameOf(name)}</b> <Ltr>{name}</Ltr>
                  </>
                ),
              },
              { title: t('column.waiting'), render: (_, { waiting }) => waiting ?? '–' },
              {
                title: t('column.state'),
                render: (_, { pausedAt }) =>
                  pausedAt === null ? (
                    <Mark tone="good">{t('runs')}</Mark>
                  ) : (
                    <Mark tone="bad" icon="alert">
                      {t('paused', { since: moment(pausedAt) })}
                    </Mark>
                  ),
              },
              {
                title: t('column.act'),
                render: (_, row) => (
                  <Button size="small" disabled={isOffline} onClick={() => setAsked(row)}>
                    {t(row.pausedAt === null ? 'act.pause.open' : 'act.resume.open')}
                  </Button>
                ),
              },
            ]}
          />
        )}
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
      {asked === 'sessions' ? (
        <ReasonDialog
          title={t('everyone.ask')}
          ok={t('everyone.ok')}
          isDangerous
          by={staff.name}
          name="end all sessions"
          label={t('reason')}
          act={({ reason }, key) => call(endAllSessions, { headers: keyed(key), body: { reason } })}
          done={t('everyone.asked')}
          onClose={close}
        >
          <p>{t('everyone.text')}</p>
        </ReasonDialog>
      ) : null}
      {worker === undefined ? null : (
        <ReasonDialog
          title={t(`act.${act}.title`, { name: nameOf(worker.name) })}
          ok={t(`act.${act}.ok`)}
          isDangerous={act === 'pause'}
          by={staff.name}
          name={`${act} ${worker.name}`}
          label={t('reason')}
          act={({ reason }, key) =>
            call(act === 'pause' ? pauseWorker : resumeWorker, {
              params: { name: worker.name },
              headers: keyed(key),
              body: { reason },
            })
          }
          done={t(`act.${act}.done`, { name: nameOf(worker.name) })}
          refresh={() => void queries.invalidateQueries({ queryKey })}
          onClose={close}
        >
          <p>
            {t(worker.waiting === null ? `act.${act}.what` : `act.${act}.waiting`, {
              number: worker.waiting ?? 0,
            })}
          </p>
        </ReasonDialog>
      )}
    </>
  )
}
