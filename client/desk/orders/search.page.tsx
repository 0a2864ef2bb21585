import { Button, Input, type InputRef } from 'antd'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { problemText } from '#client/platform/call.ts'
import { formatDay } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { longestQuery } from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskFindings, DeskPerson, FoundClaim } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { DeskIcon } from '../desk-icon.tsx'
import { useDraft } from '../drafts.ts'
import { rowLink, useRowKeys } from '../keys.ts'
import { PageHead } from '../page-head.tsx'
import { claimPath, type DeskPageProps, orderPath, personPath, searchPath } from '../pages.ts'
import table from '../rows.module.css'
import { Rows } from '../rows.tsx'
import { Loaded, LoadFailed } from '../states.tsx'
import { takeTypedAhead } from '../type-ahead.ts'
import { OrderRows } from './order-rows.tsx'
import { useFindings } from './orders.queries.ts'
import styles from './search.module.css'

/** What was asked for is in the history of the tab, never in the address, which logs and other people see. */
interface Asked {
  readonly q: string
  /** The number that can mean nothing else has led to its order: coming back shows what was found. */
  readonly hasLed?: boolean
}

const askedIn = (state: unknown): Asked | undefined =>
  (state as Asked | null)?.q ? (state as Asked) : undefined

/** One field for every number, phone and name. */
export function SearchPage({ staff }: DeskPageProps) {
  const { t } = useTranslation('desk-orders')
  const asked = askedIn(useLocation().state)
  const [draft, setDraft] = useDraft(staff.name, 'search')
  return (
    <>
      <PageHead title={t('search.title')} />
      <SearchForm
        // Coming back to another search shows what was asked there.
        key={asked?.q ?? ''}
        asked={asked}
        draft={draft}
        onType={setDraft}
      />
      <p id="search-hint" className={styles.hint}>
        {t('search.hint')}
      </p>
      {asked === undefined ? null : <Answer asked={asked} onFound={() => setDraft('')} />}
    </>
  )
}

interface SearchFormProps {
  readonly asked: Asked | undefined
  /** What was typed and not found before. */
  readonly draft: string
  readonly onType: (text: string) => void
}

function SearchForm({ asked, draft, onType }: SearchFormProps) {
  const { t } = useTranslation('desk-orders')
  const navigate = useNavigate()
  const { key } = useLocation()
  const [text, setText] = useState(asked?.q ?? draft)
  const field = useRef<InputRef>(null)

  function type(next: string): void {
    setText(next)
    onType(next)
  }
  function search(typed: string): void {
    const q = typed.trim()
    if (q !== '') void navigate(searchPath, { state: { q } satisfies Asked, replace: asked === undefined })
  }
  const begin = useEffectEvent(() => {
    field.current?.focus({ cursor: 'all' })
    const ahead = takeTypedAhead()
    if (ahead === undefined || ahead.text === '') return
    type(ahead.text)
    if (ahead.isSent) search(ahead.text)
  })
  // At the first sight of the page, and each time the key of search is pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press is a new entry in the history, whose name is `key`
  useEffect(() => begin(), [key])

  return (
    <form
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        search(text)
      }}
    >
      <Input
        ref={field}
        size="large"
        maxLength={longestQuery}
        autoComplete="off"
        spellCheck={false}
        prefix={<DeskIcon name="search" />}
        aria-label={t('search.label')}
        aria-describedby="search-hint"
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <Button type="primary" size="large" htmlType="submit">
        {t('search.go')}
      </Button>
    </form>
  )
}

interface AnswerProps {
  readonly asked: Asked
  /** What was typed need not be kept any more. */
  readonly onFound: () => void
}

function Answer({ asked, onFound }: AnswerProps) {
  const { q, hasLed } = asked
  const navigate = useNavigate()
  const query = useFindings(q)
  const { data, error, isFetching } = query
  const only = data && onlyPlace(data)
  const isAnswered = data !== undefined
  const lead = useEffectEvent((place: string | undefined) => {
    onFound()
    if (place === undefined || hasLed) return
    void navigate(searchPath, { state: { q, hasLed: true } satisfies Asked, replace: true })
    void navigate(place)
  })
  useEffect(() => {
    if (isAnswered) lead(only)
  }, [isAnswered, only])
  // Alone: what was found before is not shown, and its time is not said.
  if (error && !isFetching)
    return <LoadFailed query={{ ...query, dataUpdatedAt: 0 }} text={problemText(error)} />
  return <Loaded query={query}>{(found) => <Findings q={q} found={found} />}</Loaded>
}

/** The page that the query cannot but mean. */
function onlyPlace({ exact, claims, orders, people }: DeskFindings): string | undefined {
  if (exact !== null) return orderPath(exact)
  const [claim] = claims
  return claim && claims.length + orders.length + people.length === 1 ? claimPath(claim.claimId) : undefined
}

function Findings({ q, found }: { readonly q: string; readonly found: DeskFindings }) {
  const { t } = useTranslation('desk-orders')
  const { orders, people, claims, more } = found
  useRowKeys()
  return (
    <div className={styles.found} role="status">
      {orders.length + people.length + claims.length === 0 ? <p>{t('search.empty', { q })}</p> : null}
      {claims.length > 0 ? <ClaimRows claims={claims} /> : null}
      {orders.length > 0 ? (
        <OrderRows
          title={t('search.orders', { number: countText(orders.length, more.orders) })}
          rows={orders}
        />
      ) : null}
      {people.length > 0 ? (
        <PeopleRows
          title={t('search.people', { number: countText(people.length, more.people) })}
          people={people}
        />
      ) : null}
      {more.orders || more.people ? <p className={styles.hint}>{t('search.more')}</p> : null}
    </div>
  )
}

const countText = (count: number, hasMore: boolean) => (hasMore ? `${count}+` : String(count))

function ClaimRows({ claims }: { readonly claims: readonly FoundClaim[] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  return (
    <Rows
      title={t('search.claims', { number: claims.length })}
      columns={[t('column.claim'), t('column.kind'), t('column.order')]}
    >
      {claims.map(({ claimId, number, kind, orderId }) => (
        <tr key={claimId}>
          <th scope="row">
            <Link className={table.link} to={claimPath(claimId)} {...{ [rowLink]: '' }}>
              <Ltr>{number}</Ltr>
            </Link>
          </th>
          <td>{claimKindNames[kind][language]}</td>
          <td>
            <Ltr>{orderNumber(orderId)}</Ltr>
          </td>
        </tr>
      ))}
    </Rows>
  )
}

function PeopleRows({ title, people }: { readonly title: string; readonly people: readonly DeskPerson[] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  return (
    <Rows title={title} columns={[t('column.name'), t('column.phone'), t('column.since')]}>
      {people.map(({ userId, name, phone, createdAt }) => (
        <tr key={userId}>
          <th scope="row">
            <Link className={table.link} to={personPath(userId)} {...{ [rowLink]: '' }}>
              <bdi>{name}</bdi>
            </Link>
          </th>
          <td>
            <Ltr>{phone}</Ltr>
          </td>
          <td>{formatDay(createdAt, language)}</td>
        </tr>
      ))}
    </Rows>
  )
}
