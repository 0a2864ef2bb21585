import type { EventKind } from '#server/features/history/history.kinds.ts'
import { after, factsIn, nameIn } from '#server/platform/fact-texts.ts'
import { loadTexts } from '#server/platform/texts.ts'
import { claimKindNames, claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import { approvalActNames } from '#shared/desk/actions/actions.names.ts'
import { reasonText } from '#shared/desk/staff/staff.names.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { currency } from '#shared/platform/money.ts'
import ar from './locales/ar.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import type { Line, withoutLine } from './timeline.rules.ts'

const textsIn = loadTexts('timeline', { ar, en })
type Key = Parameters<ReturnType<typeof textsIn>>[0]

const kinds: Readonly<Record<string, string | Readonly<Record<string, string>>>> = en.kinds satisfies Record<
  Exclude<EventKind, (typeof withoutLine)[number]>,
  unknown
>

/** @returns undefined for a kind of event that only a newer gateway has */
function keyOf({ kind, data }: Pick<Line, 'kind' | 'data'>): Key | undefined {
  const texts = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (typeof texts === 'string') return `kinds.${kind}` as Key
  const words = [
    data.outcome,
    data.scan,
    data.alert,
    data.change,
    data.receipt,
    data.reported,
    data.source,
  ].map(String)
  const word = words.find((each) => texts && Object.hasOwn(texts, each))
  return word === undefined ? undefined : (`kinds.${kind}.${word}` as Key)
}

const ofPrograms: readonly string[] = ['label-refused', 'refund-refused', 'message-failed', 'message-dropped']

export function timelineText(line: Pick<Line, 'kind' | 'data'>, language: LanguageCode): string {
  const { kind, data } = line
  const key = keyOf(line)
  if (key === undefined) return kind
  const t = textsIn(language)
  const { fact, sum, place, tries } = factsIn({ currency, ...data, tries: data.creations ?? null }, language)
  const name = (group: keyof typeof en.names, word: string) =>
    Object.hasOwn(en.names[group], word) ? t(`names.${group}.${word}` as Key) : word
  const money = sum('halalas')
  const act = nameIn(approvalActNames, fact('act'), language)
  const words = inLanguage(fact('words'), language)
  const [first = '', ...rest] = words.split(': ')
  const whyOf = () => {
    if (ofPrograms.includes(kind)) return reasonText(words, language)
    if (kind === 'disclosed') return [name('disclosure', first), ...rest].join(': ')
    if (kind === 'approval-decided') return nameIn(overtakenBy, words, language)
    return kind === 'work-released' ? name('released', words) : words
  }
  return t(key, {
    sum: money,
    tries,
    act: Number(data.halalas ?? 0) === 0 ? act : `${act} (${money})`,
    why: after(': ', whyOf()),
    at: after(t('comma'), place('place')),
    words: kind === 'not-accepted' ? after(t('comma'), words) : words,
    scan: words || fact('code'),
    code: fact('code'),
    awb: fact('awb'),
    has: fact('has'),
    number: fact('number'),
    case: after(t('case'), fact('case')),
    transaction: fact('transaction'),
    type: name('type', fact('type')),
    channel: name('channel', fact('channel')),
    reason: name('refund', fact('reason')),
    refusal: name('refusal', fact('reason')),
    reported: name('reported', fact('reported')),
    claim: nameIn(claimKindNames, fact('claim'), language),
    outcome: nameIn(claimOutcomeNames, fact('outcome'), language),
    message: nameIn(messageNames, fact('about'), language),
  })
}
