import { Button, Flex, Input, type InputRef } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { problemText } from '#client/platform/call.ts'
import { formatDay } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { longestQuery } from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskFindings, DeskPerson, FoundClaim } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { DeskIcon } from '../desk-icon.tsx'
import { useDraft } from '../drafts.ts'
import { useRowKeys } from '../keys.ts'
import { ListTable, RowLink } from '../list-table.tsx'
import pageStyles from '../page.module.css'
import { PageHead } from '../page-head.tsx'
import { claimPath, type DeskPageProps, orderPath, personPath, searchPath } from '../pages.ts'
import { Loaded, LoadFailed } from '../states.tsx'
import { takeTypedAhead } from '../type-ahead.ts'
import { OrderRows } from './order-rows.tsx'
import { useFindings } from './orders.queries.ts'

/** A query in the history of the tab. It is never in the address, because logs and other people see addresses. */
interface Asked {
  q: string
  /** True after the search has opened the only match. A return then shows the findings. */
  hasLed?: boolean
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
      {/* A new key for each search: a return to an earlier search shows its query. */}
      <SearchForm key={asked?.q ?? ''} asked={asked} draft={draft} onType={setDraft} />
      <p id="search-hint" className={pageStyles.small}>
        {t('search.hint')}
      </p>
      {asked === undefined ? null : <Answer asked={asked} onFound={() => setDraft('')} />}
    </>
  )
}

interface SearchFormProps {
  asked: Asked | undefined
  /** A typed query that is not answered yet. */
  draft: string
  onType: (text: string) => void
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
  // It runs when the page opens, and again at each press of the key of search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a press is a new entry in the history, whose name is `key`
  useEffect(() => begin(), [key])

  return (
    <Flex
      component="form"
      gap="small"
      style={{ maxInlineSize: '42rem' }}
      onSubmit={(event) => {
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
    </Flex>
  )
}

/** @param onFound called when the typed query need not be kept as a draft */
function Answer({ asked, onFound }: { asked: Asked; onFound: () => void }) {
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
  // No older findings are shown, so the alert shows no time of theirs.
  if (error && !isFetching)
    return <LoadFailed query={{ ...query, dataUpdatedAt: 0 }} text={problemText(error)} />
  return <Loaded query={query}>{(found) => <Findings q={q} found={found} />}</Loaded>
}

/** The page of the exact match, or of a claim that is the only match; otherwise `undefined`. */
function onlyPlace({ exact, claims, orders, people }: DeskFindings): string | undefined {
  if (exact !== null) return orderPath(exact)
  const [claim] = claims
  return claim && claims.length + orders.length + people.length === 1 ? claimPath(claim.claimId) : undefined
}

function Findings({ q, found }: { q: string; found: DeskFindings }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { orders, people, claims, more } = found
  useRowKeys()
  const countText = (count: number, hasMore: boolean) => (hasMore ? `${count}+` : String(count))
  return (
    <Flex vertical gap="large" role="status">
      {orders.length + people.length + claims.length === 0 ? <p>{t('search.empty', { q })}</p> : null}
      {claims.length > 0 ? (
        <ListTable<FoundClaim>
          title={t('search.claims', { number: claims.length })}
          rowKey="claimId"
          dataSource={claims}
          columns={[
            {
              title: t('column.claim'),
              rowScope: 'row',
              render: (_, { claimId, number }) => (
                <RowLink to={claimPath(claimId)}>
                  <Ltr>{number}</Ltr>
                </RowLink>
              ),
            },
            { title: t('column.kind'), render: (_, { kind }) => claimKindNames[kind][language] },
            { title: t('column.order'), render: (_, { orderId }) => <Ltr>{orderNumber(orderId)}</Ltr> },
          ]}
        />
      ) : null}
      {orders.length > 0 ? (
        <OrderRows
          title={t('search.orders', { number: countText(orders.length, more.orders) })}
          rows={orders}
        />
      ) : null}
      {people.length > 0 ? (
        <ListTable<DeskPerson>
          title={t('search.people', { number: countText(people.length, more.people) })}
          rowKey="userId"
          dataSource={people}
          columns={[
            {
              title: t('column.name'),
              rowScope: 'row',
              render: (_, { userId, name }) => (
                <RowLink to={personPath(userId)}>
                  <bdi>{name}</bdi>
                </RowLink>
              ),
            },
            { title: t('column.phone'), render: (_, { phone }) => <Ltr>{phone}</Ltr> },
            { title: t('column.since'), render: (_, { createdAt }) => formatDay(createdAt, language) },
          ]}
        />
      ) : null}
      {more.orders || more.people ? <p className={pageStyles.small}>{t('search.more')}</p> : null}
    </Flex>
  )
}
