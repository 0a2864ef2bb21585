import { Input, Radio } from 'antd'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { riyadhOffset } from '#shared/platform/instant.ts'
import type { StopKind } from '#shared/platform/stop.ts'
import { stopKinds } from '#shared/platform/stop-kinds.ts'
import type { NewStop, StaffStop } from '#shared/stops/stops.schemas.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { ActDialog } from '../act-dialog.tsx'
import fields from '../actions/actions.module.css'
import { useDraftFields } from '../drafts.ts'
import fieldStyles from '../labelled.module.css'
import { Labelled } from '../labelled.tsx'
import { dayAndTime } from '../moment.tsx'
import { say } from '../said.tsx'
import { useStopCodes, useStopName } from './stop-names.ts'
import { useReplaceStops, type useStops } from './stops.queries.ts'

export type StopSet = NonNullable<ReturnType<typeof useStops>['data']>

interface DialogProps {
  /** As it was when the dialog was opened: what is pressed again is the same request. */
  readonly set: StopSet
  readonly by: string
  readonly onClose: () => void
}

/** A stop as it is asked for: what it was set with, and nothing else. */
const asAsked = ({ what, code, from, until, text }: StaffStop): NewStop => ({
  what,
  text,
  ...(code !== undefined && { code }),
  ...(from !== undefined && { from }),
  ...(until !== undefined && { until }),
})

/** Of a field of day and time, which people fill in as it is in Riyadh. */
const momentOf = (typed: string) => (typed === '' ? undefined : `${typed}:00${riyadhOffset}`)

const shortestSentence = 5
const longestSentence = 300

interface Fields extends Record<'code' | 'from' | 'until', string> {
  readonly what: StopKind
  readonly text: NewStop['text']
}
const newStop: Fields = { what: 'agent', code: '', from: '', until: '', text: usualSentences.agent }

export function NewStopDialog({ set: { stops, revision }, by, onClose }: DialogProps) {
  const { t } = useTranslation('desk-stops')
  const language = useLanguage()
  const [{ what, code, from, until, text }, change] = useDraftFields(by, 'stop', newStop)
  const codes = useStopCodes(what)
  const replace = useReplaceStops()
  const isSaid = [text.ar, text.en].every((sentence) => sentence.trim().length >= shortestSentence)
  const choose = (next: StopKind) => {
    const isUsual = text.ar === usualSentences[what].ar && text.en === usualSentences[what].en
    // A sentence of one's own stays.
    change({ what: next, code: '', ...(isUsual && { text: usualSentences[next] }) })
  }
  const act = (reason: string, key: string) => {
    const [begins, ends] = [momentOf(from), momentOf(until)]
    const stop: NewStop = {
      what,
      text,
      ...(what !== 'all' && { code }),
      ...(begins !== undefined && { from: begins }),
      ...(ends !== undefined && { until: ends }),
    }
    return replace.mutateAsync({ stops: [...stops.map(asAsked), stop], reason, revision, key })
  }
  return (
    <ActDialog
      title={t('new.title')}
      ok={t('new.ok')}
      isDangerous
      by={by}
      place="stop"
      label={t('reason')}
      rows={2}
      isReady={isSaid && (what === 'all' || code !== '')}
      act={act}
      onDone={() => {
        const begins = momentOf(from)
        const isLater = begins !== undefined && Date.parse(begins) > Date.now()
        say(isLater ? t('new.later', dayAndTime(begins, language)) : t('new.done'))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('new.what')}</p>
      <Radio.Group
        aria-label={t('column.what')}
        value={what}
        onChange={({ target }) => choose(target.value)}
        options={stopKinds.map((value) => ({ value, label: t(`what.${value}`) }))}
      />
      {what === 'all' ? null : (
        <Labelled text={t(`which.${what}`)}>
          <select
            className={fieldStyles.native}
            value={code}
            onChange={({ target }) => change({ code: target.value })}
          >
            <option value="">{t('choose')}</option>
            {codes.map(({ code: value, name }) => (
              <option key={value} value={value}>
                {what === 'city' ? name : `${name} (${value})`}
              </option>
            ))}
          </select>
        </Labelled>
      )}
      <div className={fields.fields}>
        <Labelled text={t('new.from')}>
          <Input
            type="datetime-local"
            value={from}
            onChange={({ target }) => change({ from: target.value })}
          />
        </Labelled>
        <Labelled text={t('new.until')}>
          <Input
            type="datetime-local"
            value={until}
            onChange={({ target }) => change({ until: target.value })}
          />
        </Labelled>
      </div>
      {(['ar', 'en'] as const).map((language) => (
        <Labelled key={language} text={t(`sentence.${language}`)}>
          <Input.TextArea
            lang={language}
            dir={language === 'ar' ? 'rtl' : 'ltr'}
            rows={2}
            maxLength={longestSentence}
            value={text[language]}
            onChange={({ target }) => change({ text: { ...text, [language]: target.value } })}
          />
        </Labelled>
      ))}
    </ActDialog>
  )
}

export function EndStopDialog({
  set: { stops, revision },
  stop,
  by,
  onClose,
}: DialogProps & { readonly stop: StaffStop }) {
  const { t } = useTranslation('desk-stops')
  const nameOf = useStopName()
  const replace = useReplaceStops()
  const ended = JSON.stringify(asAsked(stop))
  const others = stops.map(asAsked).filter((each) => JSON.stringify(each) !== ended)
  return (
    <ActDialog
      title={t('end.title', { name: nameOf(stop) })}
      ok={t('end.ok')}
      by={by}
      place="end stop"
      label={t('reason')}
      rows={2}
      act={(reason, key) => replace.mutateAsync({ stops: others, reason, revision, key })}
      onDone={() => {
        say(t('end.done'))
        onClose()
      }}
      onClose={onClose}
    >
      <p>{t('end.what')}</p>
    </ActDialog>
  )
}
