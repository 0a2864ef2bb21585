import { Timeline as AntTimeline, Button, Flex, Segmented, Tooltip } from 'antd'
import { type ReactNode, useState } from 'react'
import { dayInRiyadh, formatDay, formatTime, formatWeekdayAndDay } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import type { TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { useStaffName } from '../by.tsx'
import { DeskIcon } from '../desk-icon.tsx'
import { Mark } from '../mark.tsx'
import pageStyles from '../page.module.css'
import styles from './timeline.module.css'
import {
  countsOf,
  dayOf,
  daysOf,
  lookOf,
  type TimelineEntry,
  type TimelinePart,
  timelineParts,
} from './timeline.rules.ts'

interface TimelineProps {
  /** The newest first. */
  lines: readonly TimelineLine[]
  /** Content next to the filter. */
  children?: ReactNode
}

/** The timeline of an order, grouped by day. */
export function Timeline({ lines, children }: TimelineProps) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const [part, setPart] = useState<TimelinePart | 'all'>('all')
  const of = (wanted: TimelinePart | 'all') =>
    wanted === 'all' ? lines : lines.filter((line) => lookOf(line).part === wanted)
  const today = dayInRiyadh(Date.now())
  const itemOf = (entry: TimelineEntry) => {
    const line = 'folded' in entry ? entry.folded[0] : entry.line
    const { tone, icon } = lookOf(line)
    return {
      title: <Time at={line.at} />,
      icon: <Mark tone={tone} icon={icon} />,
      content: 'folded' in entry ? <Fold lines={entry.folded} /> : <Line line={line} times={entry.times} />,
    }
  }
  return (
    <Flex component="section" vertical gap="small" aria-label={t('timeline.title')}>
      <Flex wrap align="start" gap="small" className={styles.bar}>
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
      </Flex>
      {of(part).length === 0 ? <p>{t('timeline.empty')}</p> : null}
      {daysOf(of(part)).map(({ day, entries }) => (
        <section key={day}>
          <h2 className={classes(layout.line, layout.gap2, pageStyles.small, styles.day)}>
            {day === today
              ? t('timeline.today', { day: formatWeekdayAndDay(day, language) })
              : formatWeekdayAndDay(day, language)}
          </h2>
          <AntTimeline
            titleSpan="5.5em"
            items={numbered(entries).map(([key, entry]) => ({ key, ...itemOf(entry) }))}
          />
        </section>
      ))}
    </Flex>
  )
}

/** Keys for lines, which have no id. They are numbered from the oldest, because new lines come first. */
const numbered = <T,>(newestFirst: readonly T[]) =>
  newestFirst.map((item, index) => [newestFirst.length - index, item] as const)

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className={pageStyles.small}>
    {formatTime(at, useLanguage())}
  </time>
)

function Line({ line, times = 1 }: { line: TimelineLine; times?: number }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const staffName = useStaffName()
  const happenedOn = dayInRiyadh(line.at)
  const { kind, name, roles } = line.by
  // The text names the scan in the reader's language; these are the words of the shipping partner.
  const words = line.kind === 'scan' && line.data.words
  const { tone } = lookOf(line)
  const isSerious = tone === 'bad' || tone === 'waiting'
  return (
    <Flex wrap align="baseline" justify="space-between" gap="0 12px" className={styles.line}>
      <div className={styles.text}>
        {words && !isSerious ? (
          <Tooltip title={<bdi>{words}</bdi>} trigger={['hover', 'focus', 'click']}>
            <button type="button">{line.text}</button>
          </Tooltip>
        ) : (
          <span>{line.text}</span>
        )}
        {happenedOn === dayOf(line) ? null : <span>{` · ${formatDay(happenedOn, language)}`}</span>}
        {times > 1 ? <b>{` ×${times}`}</b> : null}
        {words && isSerious && !line.text.includes(String(words)) ? (
          <div className={pageStyles.small}>
            <bdi>{words}</bdi>
          </div>
        ) : null}
      </div>
      <span className={pageStyles.small}>
        {(kind === 'staff' || kind === 'operator') && name !== undefined
          ? staffName(name, roles)
          : t(`by.${kind}`)}
      </span>
    </Flex>
  )
}

/** Several lines folded into one that the operator can open. */
function Fold({ lines }: { lines: readonly TimelineLine[] }) {
  const { t } = useTranslation('desk-orders')
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const counts = countsOf(lines)
  const [sent, delivered] = counts
  const texts = counts.map(({ kind, count }) => t(`fold.${kind}`, { count }))
  return (
    <>
      {sent?.kind === 'sent' && sent.count === delivered?.count ? (
        <>
          <span>{t('fold.arrived', { count: sent.count })}</span>{' '}
          <span className={styles.tick}>
            <DeskIcon name="tick" />
          </span>
        </>
      ) : (
        <span>{new Intl.ListFormat(language).format(texts)}</span>
      )}{' '}
      <Button type="link" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? t('fold.hide') : t('fold.show')}
      </Button>
      {isOpen ? (
        <ol>
          {numbered(lines).map(([key, line]) => (
            <Flex key={key} component="li" gap="small">
              <Time at={line.at} />
              <Line line={line} />
            </Flex>
          ))}
        </ol>
      ) : null}
    </>
  )
}
