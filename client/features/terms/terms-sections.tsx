import type { ParseKeys } from 'i18next'
import type { ReactNode } from 'react'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { usePromises } from '#client/entities/promise/use-promises.ts'
import { NotInTheBag } from '#client/entities/purchase/not-in-the-bag.tsx'
import {
  CancellationSentence,
  ExampleSentence,
  LiabilitySentence,
  LostSentence,
} from '#client/entities/purchase/terms-sentences.tsx'
import { formatDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { PhoneText } from '#client/ui/contact-text.tsx'
import { Fact } from '#client/ui/fact.tsx'
import knotStyles from '#client/ui/knot.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import textStyles from '#client/ui/text.module.css'
import { answerDays } from '#shared/claims/claims.operations.ts'
import { cityCode, codedCities } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import styles from './terms.module.css'

/** The headings with their sentences, and the version at the end. A fact that is not configured has no sentence. */
export function TermsSections() {
  const { t } = useTranslation('terms')
  const { purchase, maxWeightKg, contact, termsVersion, demo, promises } = useLoadedConfig()
  const language = useLanguage()
  return (
    <>
      <ol className={`${knotStyles.threadList} ${styles.sections}`}>
        <Section name="carriage.title">
          <Sentence>{t('carriage.bag', { weight: maxWeightKg })}</Sentence>
          <Sentence>{t('carriage.given')}</Sentence>
        </Section>
        <Section name="notInTheBag">
          <NotInTheBag />
          <Sentence>{purchase.notInTheBag[language]}</Sentence>
        </Section>
        <Times />
        <LateOrLost />
        <Section name="cancelling.title">
          <p>
            <CancellationSentence />
          </p>
          {purchase.cancellation.isOffered ? <Sentence>{t('cancelling.after')}</Sentence> : null}
        </Section>
        <Section name="complaints.title">
          <p>
            <span>{t('complaints.report')}</span> <PhoneText>{contact.phone}</PhoneText>
          </p>
          <Sentence>{t('complaints.answer', { count: answerDays })}</Sentence>
        </Section>
      </ol>
      <div className={`${textStyles.hint} ${styles.version}`}>
        <ExampleSentence demo={demo} promises={promises} />
        <p>
          <span>{t('version')}</span> <Ltr>{termsVersion}</Ltr>
        </p>
        <p>{t('kept')}</p>
      </div>
    </>
  )
}

interface SectionProps {
  /** The text key of the section's heading. */
  readonly name: ParseKeys<'terms'>
  readonly children: ReactNode
}

function Section({ name, children }: SectionProps) {
  const { t } = useTranslation('terms')
  return (
    <li data-progress="done">
      <i className={knotStyles.knot} aria-hidden="true" />
      <h2>{t(name)}</h2>
      {children}
    </li>
  )
}

/** Words between asterisks are bold. */
function Sentence({ children }: { readonly children: string }) {
  return (
    <p>
      {children
        .split('*')
        .map((part, index) => (index % 2 === 1 ? <b key={part}>{part}</b> : <span key={part}>{part}</span>))}
    </p>
  )
}

/** The deadlines of the carriage, and how long a bag is kept. */
function Times() {
  const { t } = useTranslation('terms')
  const { t: ofPurchase } = useTranslation('purchase')
  const language = useLanguage()
  const daysText = useDaysText()
  const { transitDays, handInUntil, storageDays } = usePromises()
  const { default: others, ...cities } = transitDays
  const named = Object.entries(cities)
  const hasDays = named.length > 0 || others !== undefined
  if (!hasDays && handInUntil === undefined && storageDays === undefined) return null
  return (
    <Section name="times.title">
      <dl className={styles.facts}>
        {handInUntil === undefined ? null : (
          <Fact name={t('times.handIn')}>{formatDayInBoth(handInUntil, language)}</Fact>
        )}
        {named.map(([code, days]) => (
          <Fact key={code} name={t('times.city', { city: nameOfCity(code, language) })}>
            {t('times.within', { days: daysText(days) })}
          </Fact>
        ))}
        {others === undefined ? null : (
          <Fact name={t(named.length > 0 ? 'times.otherCities' : 'times.anyCity')}>
            {t('times.within', { days: daysText(others) })}
          </Fact>
        )}
      </dl>
      {hasDays ? <Sentence>{t('times.counted')}</Sentence> : null}
      {storageDays === undefined ? null : <Sentence>{ofPurchase('kept', { count: storageDays })}</Sentence>}
    </Section>
  )
}

function nameOfCity(code: string, language: LanguageCode): string {
  const city = codedCities.find((each) => cityCode(each) === code)
  return city === undefined ? code : cityName(city, language)
}

function LateOrLost() {
  const { t } = useTranslation('terms')
  const { promises, purchase } = useLoadedConfig()
  const { lateAfterDays, lostSar } = promises
  if (lateAfterDays === undefined && lostSar === undefined && purchase.liability === undefined) return null
  return (
    <Section name="late.title">
      {lateAfterDays === undefined ? null : (
        <>
          <Sentence>{t('late.after', { count: lateAfterDays })}</Sentence>
          <Sentence>{t('late.told')}</Sentence>
        </>
      )}
      <LostSentence />
      <LiabilitySentence />
    </Section>
  )
}
