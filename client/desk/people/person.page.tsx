import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { StatusBadge } from '#client/entities/order/status-badge.tsx'
import { isCallProblem } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import type { DeskAccount } from '#shared/desk/orders/people.api.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { isLanguageCode, languages } from '#shared/platform/language.ts'
import { ReasonDialog } from '../act-dialog.tsx'
import { Card } from '../card.tsx'
import { isolated } from '../isolated.ts'
import { Mark } from '../mark.tsx'
import { useMoment } from '../moment.tsx'
import pageStyles from '../page.module.css'
import { claimPath, type DeskPageProps, orderPath, searchPath } from '../pages.ts'
import { Loaded, Unknown } from '../states.tsx'
import { useTitle } from '../use-title.ts'
import { NumberDialog } from './number-dialog.tsx'
import { endSessions, unlock, useDeskPerson, usePersonRefresh } from './people.queries.ts'
import styles from './person.module.css'

/** A person: whether they can sign in, and what is theirs. */
export function PersonPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-people')
  const { userId = '' } = useParams()
  const query = useDeskPerson(userId)
  const { data: person, error } = query
  useTitle(person?.name ?? t('title'))
  if (person === undefined && isCallProblem(error) && [400, 404].includes(error.status))
    return <Unknown title={t('unknown')} to={searchPath} link={t('toSearch')} />
  return (
    <Loaded query={query} failed={t('failed')}>
      {(known) => <Person person={known} staff={staff} />}
    </Loaded>
  )
}

interface PersonProps {
  readonly person: DeskAccount
  readonly staff: StaffSession
}

function Person({ person, staff: { roles, name: by } }: PersonProps) {
  const { t } = useTranslation('desk-people')
  const [act, setAct] = useState<Act>()
  const isOffline = useConnection() === 'offline'
  const { name, phone, isLocked } = person
  const isLead = roles.includes('lead')
  return (
    <>
      <header className={styles.head}>
        <div className={styles.line}>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <Ltr>{phone}</Ltr>
          <Mark tone={isLocked ? 'bad' : 'good'} icon="lock">
            {t(isLocked ? 'locked' : 'open')}
          </Mark>
        </div>
        <div className={styles.line}>
          {isLead || roles.includes('support') ? (
            <>
              <PersonAct act="unlock" isPossible={isLocked} isOff={isOffline} onAct={setAct} />
              <PersonAct
                act="number"
                isPossible={person.numberAsked === null}
                isOff={isOffline}
                onAct={setAct}
              />
            </>
          ) : null}
          {isLead ? (
            <PersonAct act="end" isPossible={person.sessions.length > 0} isOff={isOffline} onAct={setAct} />
          ) : null}
        </div>
      </header>
      <div className={styles.cards}>
        <SignInCard person={person} />
        <OrdersCard person={person} />
        <ClaimsCard person={person} />
        <SessionsCard person={person} />
      </div>
      {act === 'number' ? <NumberDialog {...{ person, by }} onClose={() => setAct(undefined)} /> : null}
      {act === undefined || act === 'number' ? null : (
        <PersonDialog act={act} person={person} by={by} onClose={() => setAct(undefined)} />
      )}
    </>
  )
}

type Act = 'unlock' | 'number' | 'end'

interface PersonActProps {
  readonly act: Act
  readonly isPossible: boolean
  readonly isOff: boolean
  readonly onAct: (act: Act) => void
}

/** What is not possible now stays, and says why. */
function PersonAct({ act, isPossible, isOff, onAct }: PersonActProps) {
  const { t } = useTranslation('desk-people')
  const why = `why-${act}`
  return (
    <span className={styles.act}>
      <Button
        danger={act === 'end'}
        disabled={isOff || !isPossible}
        aria-describedby={isPossible ? undefined : why}
        onClick={() => onAct(act)}
      >
        {t(`act.${act}.open`)}
      </Button>
      {isPossible ? null : (
        <small id={why} className={pageStyles.small}>
          {t(`act.${act}.not`)}
        </small>
      )}
    </span>
  )
}

interface CardProps {
  readonly person: DeskAccount
}

function SignInCard({ person }: CardProps) {
  const { t } = useTranslation('desk-people')
  const moment = useMoment()
  const { language, messages, hasEmail, wrongCodes, codes } = person
  return (
    <Card
      title={t('signIn')}
      facts={[
        [t('wrongCodes'), wrongCodes],
        [t('email'), t(hasEmail ? 'yes' : 'no')],
        [t('language'), isLanguageCode(language) ? languages[language].label : undefined],
        [t('messages'), t(messages ? 'wanted' : 'unwanted')],
      ]}
    >
      <h3 className={styles.sub}>{t('newNumber')}</h3>
      <NumberChange person={person} />
      <p>{t(`newNumberOf.${hasEmail ? 'yes' : 'no'}`)}</p>
      <Rows title={t('codes')} none={t('noCodes')}>
        {codes.map(({ sentAt, channel, delivery, state }) => (
          <li key={sentAt}>
            {`${moment(sentAt)} ${[channel, delivery, state]
              .filter((word) => word !== null)
              .map((word) => t(`codeOf.${word}`, { defaultValue: word }))
              .join(' · ')}`}
          </li>
        ))}
      </Rows>
    </Card>
  )
}

/** The move to another number that waits, or was approved last. */
function NumberChange({ person: { numberAsked, numberChange } }: CardProps) {
  const { t } = useTranslation('desk-people')
  const moment = useMoment()
  return (
    <>
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
    </>
  )
}

interface RowsProps {
  readonly title?: string
  readonly none: string
  readonly children: readonly ReactNode[]
}

function Rows({ title, none, children }: RowsProps) {
  return (
    <>
      {title === undefined ? null : <h3 className={styles.sub}>{title}</h3>}
      {children.length === 0 ? (
        <p className={pageStyles.small}>{none}</p>
      ) : (
        <ul className={styles.rows}>{children}</ul>
      )}
    </>
  )
}

function OrdersCard({ person: { orders } }: CardProps) {
  const { t } = useTranslation('desk-people')
  const moment = useMoment()
  return (
    <Card title={t('orders')}>
      <Rows none={t('noOrders')}>
        {orders.map(({ orderId, status, createdAt }) => (
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
  )
}

function ClaimsCard({ person: { claims } }: CardProps) {
  const { t } = useTranslation('desk-people')
  const language = useLanguage()
  const moment = useMoment()
  return (
    <Card title={t('claims')}>
      <Rows none={t('noClaims')}>
        {claims.map(({ number, kind, state, openedAt }) => (
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
  )
}

function SessionsCard({ person: { sessions } }: CardProps) {
  const { t } = useTranslation('desk-people')
  const moment = useMoment()
  return (
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
  )
}

interface PersonDialogProps {
  readonly act: 'unlock' | 'end'
  readonly person: DeskAccount
  readonly by: string
  readonly onClose: () => void
}

function PersonDialog({ act, person: { userId, name, phone }, by, onClose }: PersonDialogProps) {
  const { t } = useTranslation('desk-people')
  return (
    <ReasonDialog
      title={t(`act.${act}.title`, { name: isolated(name), phone: phone.slice(-4) })}
      ok={t(`act.${act}.ok`)}
      isDangerous={act === 'end'}
      by={by}
      name={`${act} ${userId}`}
      label={t('reason')}
      act={(reason, key) => (act === 'end' ? endSessions : unlock)(userId, reason, key)}
      done={t(`act.${act}.done`)}
      refresh={usePersonRefresh(userId)}
      onClose={onClose}
    >
      <p>{t(`act.${act}.what`)}</p>
    </ReasonDialog>
  )
}
