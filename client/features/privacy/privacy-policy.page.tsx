import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import { Page } from '#client/ui/page.tsx'
import { brand } from '#shared/platform/brand.ts'
import './privacy.css'
import './privacy.texts.ts'

/** Must be complete: a new store, recipient, cookie or stored browser item needs a sentence here, in both languages. */
export function PrivacyPolicyPage() {
  const contact = useConfig()?.contact ?? brand.contact
  const { t } = useTranslation('privacy')
  const language = useLanguage()
  return (
    <Page title={t('title')} width="table">
      <div className="policy">
        <p className="policy-intro">{t('intro', { name: brand.name[language] })}</p>
        <Section title={t('kept.title')}>
          <List
            items={[
              t('kept.account'),
              t('kept.code'),
              t('kept.sessions'),
              t('kept.orders'),
              t('kept.airwayBills'),
              t('kept.journey'),
              t('kept.scans'),
              t('kept.payments'),
              t('kept.messages'),
              t('kept.push'),
              t('kept.receipts'),
              t('kept.shares'),
              t('kept.operators'),
              t('kept.technical'),
            ]}
          />
        </Section>
        <Section title={t('card.title')}>
          <p>{t('card.text')}</p>
        </Section>
        <Section title={t('recipients.title')}>
          <List
            items={[
              t('recipients.otp'),
              t('recipients.messages'),
              t('recipients.push'),
              t('recipients.shipping'),
              t('recipients.payment'),
              t('recipients.family'),
            ]}
          />
          <p>{t('recipients.abroad')}</p>
          <p>{t('recipients.noOthers')}</p>
        </Section>
        <Section title={t('device.title')}>
          <List
            items={[
              t('device.language'),
              t('device.session'),
              t('device.browser'),
              t('device.known'),
              t('device.draft'),
              t('device.claims'),
              t('device.push'),
              t('device.files'),
              t('device.agent'),
            ]}
          />
          <p>{t('device.needed')}</p>
          <p>{t('device.position')}</p>
        </Section>
        <Section title={t('retention.title')}>
          <p>{t('retention.text')}</p>
          <p>{t('retention.old')}</p>
          <p>{t('retention.deleted')}</p>
          <p>{t('retention.kept')}</p>
          <p>{t('retention.receipts')}</p>
          <p>{t('retention.refused')}</p>
          <p>{t('retention.backups')}</p>
        </Section>
        <Section title={t('rights.title')}>
          <p>{t('rights.intro')}</p>
          <List
            items={[
              t('rights.know'),
              t('rights.copy'),
              t('rights.correct'),
              t('rights.destroy'),
              t('rights.sessions'),
              t('rights.withdraw'),
              t('rights.complain'),
            ]}
          />
        </Section>
        <Section title={t('contact.title')}>
          <p>{t('contact.text')}</p>
          <dl className="policy-contact">
            <dt>{t('contact.email')}</dt>
            <dd>
              <Ltr>{contact.email}</Ltr>
            </dd>
            <dt>{t('contact.phone')}</dt>
            <dd>
              <Ltr>{contact.phone}</Ltr>
            </dd>
            <dt>{t('contact.address')}</dt>
            <dd>{contact.address[language]}</dd>
          </dl>
        </Section>
      </div>
    </Page>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="policy-section">
      <h2>{title}</h2>
      <div className="policy-text">{children}</div>
    </section>
  )
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
