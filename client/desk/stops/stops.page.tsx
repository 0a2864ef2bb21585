import { Button } from 'antd'
import { useState } from 'react'
import { useConnection } from '#client/platform/connection.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import type { StaffStop } from '#shared/stops/stops.schemas.ts'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import { PageHead } from '../page-head.tsx'
import type { DeskPageProps } from '../pages.ts'
import table from '../rows.module.css'
import { Rows } from '../rows.tsx'
import { Loaded } from '../states.tsx'
import { EndStopDialog, NewStopDialog, type StopSet } from './stop-dialogs.tsx'
import { useStopName } from './stop-names.ts'
import styles from './stops.module.css'
import { useStops } from './stops.queries.ts'

/** What is not sold, or will not be from a time. */
export function StopsPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-stops')
  const query = useStops()
  const { data } = query
  const [asked, setAsked] = useState<{ readonly set: StopSet; readonly stop?: StaffStop }>()
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
        {(set) =>
          set.stops.length === 0 ? (
            <p>{t('empty')}</p>
          ) : (
            <StopRows stops={set.stops} isOff={isOffline} onEnd={(stop) => setAsked({ set, stop })} />
          )
        }
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

interface StopRowsProps {
  readonly stops: readonly StaffStop[]
  readonly isOff: boolean
  readonly onEnd: (stop: StaffStop) => void
}

function StopRows({ stops, isOff, onEnd }: StopRowsProps) {
  const { t } = useTranslation('desk-stops')
  const moment = useMoment()
  const nameOf = useStopName()
  return (
    <Rows columns={[t('column.what'), t('column.when'), t('column.text'), t('column.by'), t('column.act')]}>
      {stops.map((stop) => (
        <tr key={`${stop.what} ${stop.code} ${stop.from} ${stop.at}`}>
          <th scope="row">
            <b>{nameOf(stop)}</b>{' '}
            <Mark tone={stop.isInForce ? 'bad' : 'waiting'}>{t(stop.isInForce ? 'inForce' : 'later')}</Mark>
          </th>
          <td>
            {stop.from === undefined ? null : (
              <span className={table.small}>{`${t('from')} ${moment(stop.from)}`}</span>
            )}
            <span>{stop.until === undefined ? t('open') : `${t('until')} ${moment(stop.until)}`}</span>
          </td>
          <td>
            <span lang="ar" dir="rtl" className={styles.sentence}>
              {stop.text.ar}
            </span>
            <span lang="en" dir="ltr" className={styles.sentence}>
              {stop.text.en}
            </span>
          </td>
          <td>
            <bdi>{stop.by}</bdi>, <span>{moment(stop.at)}</span>
            <span className={table.small}>{stop.reason}</span>
          </td>
          <td>
            <Button size="small" disabled={isOff} onClick={() => onEnd(stop)}>
              {t('end.open')}
            </Button>
          </td>
        </tr>
      ))}
    </Rows>
  )
}
