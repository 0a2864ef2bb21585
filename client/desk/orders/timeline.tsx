import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { formatDate } from '#client/platform/days.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { useStaffName } from '../by.tsx'
import { MarkedIcon } from '../mark.tsx'
import { dayInRiyadh, timeInRiyadh } from '../times.ts'
import styles from './timeline.module.css'
import { countsOf, dayOf, daysOf, lookOf, type TimelinePart, timelineParts } from './timeline.rules.ts'

interface TimelineProps {
  /** The newest first. */
  readonly lines: readonly TimelineLine[]
  /** Beside the filter. */
  readonly children?: ReactNode
}

/** What has happened, under its days. */
export function Timeline({ lines, children }: TimelineProps) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const [part, setPart] = useState<TimelinePart | 'all'>('all')
  const of = (wanted: TimelinePart | 'all') =>
    wanted === 'all' ? lines : lines.filter((line) => lookOf(line).part === wanted)
  const today = dayInRiyadh(Date.now())
  return (
    <section aria-label={t('timeline.title')} className={styles.timeline}>
      <div className={styles.bar}>
        <Segmented
          aria-label={t('timeline.filter')}
          value={part}
          onChange={setPart}
          options={(['all', ...timelineParts] as const).map((value) => ({
            value,
            label: `${t(`part.${value}`)} ${of(value).length}`,
          }))}
        />
        {children}
      </div>
      {of(part).length === 0 ? <p>{t('timeline.empty')}</p> : null}
      {daysOf(of(part)).map(({ day, entries }) => (
        <section key={day}>
          <h2>
            {day === today
              ? t('timeline.today', { day: formatDate(day, language) })
              : formatDate(day, language)}
          </h2>
          <ol>
            {numbered(entries).map(([number, entry]) =>
              'folded' in entry ? (
                <Folded key={number} lines={entry.folded} />
              ) : (
                <Line key={number} line={entry.line} times={entry.times} />
              ),
            )}
          </ol>
        </section>
      ))}
    </section>
  )
}

/** Lines have no name of their own, and a new one comes first: each with its number, counted from the oldest. */
const numbered = <T,>(newestFirst: readonly T[]): readonly (readonly [number: number, item: T])[] =>
  newestFirst.map((item, index) => [newestFirst.length - index, item])

function Line({ line, times = 1 }: { readonly line: TimelineLine; readonly times?: number }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const { tone, icon } = lookOf(line)
  const happenedOn = dayInRiyadh(line.at)
  const { kind, name, roles } = line.by
  const staffName = useStaffName()
  return (
    <li className={styles.row}>
      <time dateTime={line.at}>
        <Ltr>{timeInRiyadh(line.at)}</Ltr>
      </time>
      <MarkedIcon tone={tone} icon={icon} />
      <span className={styles.text}>
        <span>{line.text}</span>
        {happenedOn === dayOf(line) ? null : <span>{` · ${formatDate(happenedOn, language)}`}</span>}
        {times > 1 ? <b>{` ×${times}`}</b> : null}
      </span>
      <span className={styles.by}>
        {(kind === 'staff' || kind === 'operator') && name !== undefined
          ? staffName(name, roles)
          : t(`by.${kind}`)}
      </span>
    </li>
  )
}

function Folded({ lines }: Pick<TimelineProps, 'lines'>) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const counts = countsOf(lines).map(({ kind, count }) => t(`fold.${kind}`, { count }))
  return (
    <>
      <li className={styles.fold}>
        <span>{new Intl.ListFormat(language).format(counts)}</span> ·{' '}
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? t('fold.hide') : t('fold.show')}
        </button>
      </li>
      {isOpen ? numbered(lines).map(([number, line]) => <Line key={number} line={line} />) : null}
    </>
  )
}
