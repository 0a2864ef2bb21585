import { Button } from 'antd'
import { useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffStop } from '#shared/stops/stops.schemas.ts'
import { isolated } from '../isolated.ts'
import { ListTable } from '../list-table.tsx'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import { Loaded } from '../states.tsx'
import { EndStopDialog, NewStopDialog, type StopSet } from './stop-dialogs.tsx'
import { useStopName } from './stop-names.ts'
import { useStops } from './stops.queries.ts'

/** The stops: services that are not sold now, or will not be sold from a set time. */
export function StopsPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-stops')
  const query = useStops()
  const { data } = query
  const moment = useMoment()
  const nameOf = useStopName()
  const [asked, setAsked] = useState<{ set: StopSet; stop?: StaffStop }>()
  const isOffline = useConnection() === 'offline'
  const close = () => setAsked(undefined)
  return (
    <>
      <PageHead title={t('title')} rule={t('rule')}>
        <Button
          type="primary"
          disabled={data === undefined || isOffline}
          onClick={() => data && setAsked({ set: data })}
        >
          {t('new.open')}
        </Button>
      </PageHead>
      <Loaded query={query} failed={t('failed')}>
        {(set) => (
          <ListTable
            title={t('title')}
            isTitleHidden
            dataSource={set.stops}
            rowKey={({ what, code, from, at }) => `${what} ${code} ${from} ${at}`}
            locale={{ emptyText: t('empty') }}
            columns={[
              {
                title: t('column.what'),
                render: (_, stop) => (
                  <>
                    <b>{nameOf(stop)}</b>{' '}
                    <Mark tone={stop.isInForce ? 'bad' : 'waiting'}>
                      {t(stop.isInForce ? 'inForce' : 'later')}
                    </Mark>
                  </>
                ),
              },
              {
                title: t('column.when'),
                render: (_, { from, until }) => (
                  <>
                    {from === undefined ? null : (
                      <div className={pageStyles.small}>{`${t('from')} ${moment(from)}`}</div>
                    )}
                    <span>{until === undefined ? t('open') : `${t('until')} ${moment(until)}`}</span>
                  </>
                ),
              },
              {
                title: t('column.text'),
                render: (_, { text }) => (
                  <>
                    <div lang="ar" dir="rtl">
                      {text.ar}
                    </div>
                    <div lang="en" dir="ltr">
                      {text.en}
                    </div>
                  </>
                ),
              },
              {
                title: t('column.by'),
                render: (_, { by, at, reason }) => (
                  <>
                    <span>{`${isolated(by)}, ${moment(at)}`}</span>
                    <div className={pageStyles.small}>{reason}</div>
                  </>
                ),
              },
              {
                title: t('column.act'),
                render: (_, stop) => (
                  <Button size="small" disabled={isOffline} onClick={() => setAsked({ set, stop })}>
                    {t('end.open')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {asked && asked.stop === undefined ? (
        <NewStopDialog set={asked.set} by={staff.name} onClose={close} />
      ) : null}
      {asked?.stop ? (
        <EndStopDialog set={asked.set} stop={asked.stop} by={staff.name} onClose={close} />
      ) : null}
    </>
  )
}
