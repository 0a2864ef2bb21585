import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { call } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import type { DeskAccount } from '#shared/desk/orders/people.api.ts'
import {
  askNumber,
  endPersonSessions,
  readDeskPerson,
  unlockDeskPerson,
} from '#shared/desk/orders/people.operations.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { isLanguageCode, languages } from '#shared/platform/language.ts'
import { phoneLength } from '#shared/platform/phone.ts'
import { needed, ReasonDialog } from '../act-dialog.tsx'
import { Card } from '../card.tsx'
import { isolated } from '../isolated.ts'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { claimPath, type DeskPageProps, orderPath, searchPath } from '../pages.ts'
import { keyed } from '../sending.ts'
import { Loaded, Unknown } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import styles from './person.module.css'

/** A user: the sign-in, orders, claims and sessions. */
export function PersonPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-people')
  const { userId = '' } = useParams()
  // Each page view is recorded, so nothing is read again without the operator's request.
  const query = useQuery({
    queryKey: operationKey(readDeskPerson, { userId }),
    queryFn: async ({ signal }) => (await call(readDeskPerson, { params: { userId }, signal })).person,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  useTitle(query.data?.name ?? t('title'))
  return (
    <Loaded
      query={query}
      failed={t('failed')}
      unknown={<Unknown title={t('unknown')} to={searchPath} link={t('toSearch')} />}
    >
      {(known) => <Person person={known} staff={staff} onChange={() => void query.refetch()} />}
    </Loaded>
  )
}

type Act = 'unlock' | 'number' | 'end'

interface PersonProps {
  person: DeskAccount
  staff: StaffSession
  /** Reads the page again. */
  onChange: () => void
}

function Person({ person, staff, onChange }: PersonProps) {
  const { t } = useTranslation('desk-people')
  const language = useLanguage()
  const moment = useMoment()
  const [act, setAct] = useState<Act>()
  const isOffline = useConnection() === 'offline'
  const { userId, name, phone, isLocked, numberAsked, numberChange, sessions } = person
  const { roles, name: by } = staff
  const isLead = roles.includes('lead')
  const isSupport = isLead || roles.includes('support')
  const isPossible: Record<Act, boolean> = {
    unlock: isLocked,
    number: numberAsked === null,
    end: sessions.length > 0,
  }
  const acts: readonly Act[] = [
    ...(isSupport ? (['unlock', 'number'] as const) : []),
    ...(isLead ? (['end'] as const) : []),
  ]
  return (
    <>
      <Flex component="header" wrap align="center" justify="space-between" gap="8px 12px">
        <Flex wrap align="center" gap="8px 12px">
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <Ltr>{phone}</Ltr>
          <Mark tone={isLocked ? 'bad' : 'good'} icon="lock">
            {t(isLocked ? 'locked' : 'open')}
          </Mark>
        </Flex>
        <Flex wrap align="center" gap="8px 12px">
          {acts.map((each) => (
            <Flex key={each} vertical align="start">
              <Button
                danger={each === 'end'}
                disabled={isOffline || !isPossible[each]}
                aria-describedby={isPossible[each] ? undefined : `why-${each}`}
                onClick={() => setAct(each)}
              >
                {t(`act.${each}.open`)}
              </Button>
              {isPossible[each] ? null : (
                <small id={`why-${each}`} className={pageStyles.small}>
                  {t(`act.${each}.not`)}
                </small>
              )}
            </Flex>
          ))}
        </Flex>
      </Flex>
      <div className={`${layout.grid} ${layout.gap2} ${styles.cards}`}>
        <Card
          title={t('signIn')}
          facts={[
            [t('wrongCodes'), person.wrongCodes],
            [t('email'), t(person.hasEmail ? 'yes' : 'no')],
            [t('language'), isLanguageCode(person.language) ? languages[person.language].label : undefined],
            [t('messages'), t(person.messages ? 'wanted' : 'unwanted')],
          ]}
        >
          <h3>{t('newNumber')}</h3>
          {numberAsked === null ? null : (
            <p>{t('numberAsked', { name: isolated(numberAsked.by), time: moment(numberAsked.at) })}</p>
          )}
          {numberChange === null ? null : (
            <p>
              {t(`numberChange.${numberChange.state}`, {
                phone: isolated(numberChange.phone ?? ''),
                from: moment(numberChange.takesFrom),
                end: moment(numberChange.endsAt),
              })}
            </p>
          )}
          <p>{t(`newNumberOf.${person.hasEmail ? 'yes' : 'no'}`)}</p>
          <h3>{t('codes')}</h3>
          <Rows none={t('noCodes')}>
            {person.codes.map(({ sentAt, channel, delivery, state }) => (
              <li key={sentAt}>
                {`${moment(sentAt)} ${[channel, delivery, state]
                  .filter((word) => word !== null)
                  .map((word) => t(`codeOf.${word}`, { defaultValue: word }))
                  .join(' · ')}`}
              </li>
            ))}
          </Rows>
        </Card>
        <Card title={t('orders')}>
          <Rows none={t('noOrders')}>
            {person.orders.map(({ orderId, status, createdAt }) => (
              <li key={orderId}>
                <Link to={orderPath(orderId)}>
                  <Ltr>{orderNumber(orderId)}</Ltr>
                </Link>{' '}
                <StatusBadge status={status} isPlain />{' '}
                <span className={pageStyles.small}>{moment(createdAt)}</span>
              </li>
            ))}
          </Rows>
        </Card>
        <Card title={t('claims')}>
          <Rows none={t('noClaims')}>
            {person.claims.map(({ number, kind, state, openedAt }) => (
              <li key={number}>
                <Link to={claimPath(number.replace('CL-', ''))}>
                  <Ltr>{number}</Ltr>
                </Link>{' '}
                <span>{`${claimKindNames[kind][language]} · ${t(`claimState.${state}`)}`}</span>{' '}
                <span className={pageStyles.small}>{moment(openedAt)}</span>
              </li>
            ))}
          </Rows>
        </Card>
        <Card title={t('sessions')}>
          <Rows none={t('noSessions')}>
            {sessions.map(({ createdAt, lastSeenAt, device }) => (
              <li key={`${createdAt} ${lastSeenAt}`}>
                <bdi>{device ?? t('device')}</bdi>{' '}
                <span className={pageStyles.small}>
                  {t('session', { since: moment(createdAt), seen: moment(lastSeenAt) })}
                </span>
              </li>
            ))}
          </Rows>
        </Card>
      </div>
      {act === undefined ? null : (
        <ReasonDialog
          title={t(`act.${act}.title`, { name: isolated(name), phone: phone.slice(-4) })}
          ok={t(`act.${act}.ok`)}
          isDangerous={act === 'end'}
          by={by}
          name={`${act} ${userId}`}
          label={t('reason')}
          act={async ({ phone: next = '', reason }: { phone?: string; reason: string }, key) => {
            const target = { params: { userId: String(userId) }, headers: keyed(key) }
            if (act === 'number') return call(askNumber, { ...target, body: { phone: next, reason } })
            return call(act === 'end' ? endPersonSessions : unlockDeskPerson, {
              ...target,
              body: { reason },
            })
          }}
          done={t(`act.${act}.done`)}
          refresh={onChange}
          onClose={() => setAct(undefined)}
        >
          <p>{t(`act.${act}.what`)}</p>
          {act === 'number' ? (
            <Form.Item name="phone" label={t('act.number.phone')} rules={[needed(phoneLength.min)]}>
              <Input dir="ltr" type="tel" autoComplete="off" maxLength={phoneLength.max} />
            </Form.Item>
          ) : null}
        </ReasonDialog>
      )}
    </>
  )
}

const Rows = ({ none, children }: { none: string; children: readonly ReactNode[] }) =>
  children.length === 0 ? (
    <p className={pageStyles.small}>{none}</p>
  ) : (
    <ul className={pageStyles.rows}>{children}</ul>
  )
