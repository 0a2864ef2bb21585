import { Flex, Form, Input, Radio, Select } from 'antd'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { riyadhOffset } from '#shared/platform/instant.ts'
import type { StopKind } from '#shared/platform/stop.ts'
import { stopKinds } from '#shared/platform/stop-kinds.ts'
import type { NewStop, StaffStop } from '#shared/stops/stops.schemas.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { ActDialog, needed, ReasonDialog, TextItem, useActForm } from '../act-dialog.tsx'
import { useNotice } from '../notices.tsx'
import { useStopCodes, useStopName } from './stop-names.ts'
import { useReplaceStops, type useStops } from './stops.queries.ts'

export type StopSet = NonNullable<ReturnType<typeof useStops>['data']>

interface DialogProps {
  /** All stops at the time when the dialog was opened. They stay fixed, so that a repeated request is identical. */
  set: StopSet
  by: string
  onClose: () => void
}

/** The part of a stop that was requested, without what the server added. */
const asRequested = ({ what, code, from, until, text }: StaffStop): NewStop => ({
  what,
  text,
  ...(code !== undefined && { code }),
  ...(from !== undefined && { from }),
  ...(until !== undefined && { until }),
})

/** Converts the value of a date-time field, typed in Riyadh time, to ISO 8601. */
const momentOf = (typed: string | undefined) => (typed ? `${typed}:00${riyadhOffset}` : undefined)

const shortestSentence = 5
const longestSentence = 300

interface Fields {
  what: StopKind
  code?: string | undefined
  from?: string
  until?: string
  text: NewStop['text']
  reason: string
}

export function NewStopDialog({ set: { stops, revision }, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-stops')
  const language = useLanguage()
  const showNotice = useNotice()
  const replace = useReplaceStops()
  const form = useActForm({
    by,
    name: 'stop',
    initial: { what: 'agent', text: usualSentences.agent },
    async act({ what, code, from, until, text, reason }: Fields, key) {
      const begins = momentOf(from)
      const ends = momentOf(until)
      const stop: NewStop = {
        what,
        text,
        ...(what !== 'all' && code !== undefined && { code }),
        ...(begins !== undefined && { from: begins }),
        ...(ends !== undefined && { until: ends }),
      }
      await replace({ stops: [...stops.map(asRequested), stop], reason, revision, key })
      return begins
    },
    onDone(begins) {
      const isLater = begins !== undefined && Date.parse(begins) > Date.now()
      showNotice(isLater ? t('new.later', { time: formatMoment(begins, language) }) : t('new.done'))
      onClose()
    },
  })
  const { what = 'agent', text } = form.values
  const codes = useStopCodes(what)
  const choose = (next: StopKind) => {
    const isUsual = text?.ar === usualSentences[what].ar && text.en === usualSentences[what].en
    // A sentence that the operator has written is kept.
    form.change({ code: undefined, ...(isUsual && { text: usualSentences[next] }) })
  }
  return (
    <ActDialog form={form} title={t('new.title')} ok={t('new.ok')} isDangerous onClose={onClose}>
      <p>{t('new.what')}</p>
      <Form.Item name="what">
        <Radio.Group
          aria-label={t('column.what')}
          onChange={({ target }) => choose(target.value)}
          options={stopKinds.map((value) => ({ value, label: t(`what.${value}`) }))}
        />
      </Form.Item>
      {what === 'all' ? null : (
        <Form.Item name="code" label={t(`which.${what}`)} rules={[{ required: true }]}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('choose')}
            options={codes.map(({ code, name }) => ({
              value: code,
              label: what === 'city' ? name : `${name} (${code})`,
            }))}
          />
        </Form.Item>
      )}
      <Flex gap="middle" wrap>
        <Form.Item name="from" label={t('new.from')}>
          <Input type="datetime-local" />
        </Form.Item>
        <Form.Item name="until" label={t('new.until')}>
          <Input type="datetime-local" />
        </Form.Item>
      </Flex>
      {(['ar', 'en'] as const).map((each) => (
        <Form.Item
          key={each}
          name={['text', each]}
          label={t(`sentence.${each}`)}
          rules={[needed(shortestSentence)]}
        >
          <Input.TextArea
            lang={each}
            dir={each === 'ar' ? 'rtl' : 'ltr'}
            rows={2}
            maxLength={longestSentence}
          />
        </Form.Item>
      ))}
      <TextItem name="reason" label={t('reason')} rows={2} />
    </ActDialog>
  )
}

export function EndStopDialog({
  set: { stops, revision },
  stop,
  by,
  onClose,
}: DialogProps & { stop: StaffStop }) {
  const { t } = useTranslation('desk-stops')
  const nameOf = useStopName()
  const replace = useReplaceStops()
  const ended = JSON.stringify(asRequested(stop))
  const others = stops.map(asRequested).filter((each) => JSON.stringify(each) !== ended)
  return (
    <ReasonDialog
      title={t('end.title', { name: nameOf(stop) })}
      ok={t('end.ok')}
      by={by}
      name="end stop"
      label={t('reason')}
      act={({ reason }, key) => replace({ stops: others, reason, revision, key })}
      done={t('end.done')}
      onClose={onClose}
    >
      <p>{t('end.what')}</p>
    </ReasonDialog>
  )
}
