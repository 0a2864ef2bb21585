import type { ParseKeys } from 'i18next'
import { ContactList } from '#client/entities/config/contact-list.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Page } from '#client/ui/page.tsx'
import { brand } from '#shared/platform/brand.ts'
import styles from './privacy.module.css'

type TextKey = ParseKeys<'privacy'>

/** The keys of a section's texts, in the order of the page. */
interface Section {
  readonly title: TextKey
  readonly intro?: TextKey
  readonly items?: readonly TextKey[]
  readonly texts?: readonly TextKey[]
}

/** Must be complete: a new store, recipient, cookie or stored browser item needs a sentence here, in both languages. */
const sections: readonly Section[] = [
  {
    title: 'kept.title',
    items: [
      'kept.account',
      'kept.email',
      'kept.code',
      'kept.sessions',
      'kept.orders',
      'kept.airwayBills',
      'kept.journey',
      'kept.scans',
      'kept.receiver',
      'kept.payments',
      'kept.messages',
      'kept.push',
      'kept.receipts',
      'kept.shares',
      'kept.claims',
      'kept.operators',
      'kept.technical',
    ],
  },
  {
    title: 'card.title',
    texts: ['card.text'],
  },
  {
    title: 'recipients.title',
    items: [
      'recipients.otp',
      'recipients.messages',
      'recipients.mail',
      'recipients.push',
      'recipients.wallet',
      'recipients.shipping',
      'recipients.payment',
      'recipients.family',
      'recipients.receiver',
    ],
    texts: ['recipients.abroad', 'recipients.noOthers'],
  },
  {
    title: 'device.title',
    items: [
      'device.language',
      'device.session',
      'device.role',
      'device.browser',
      'device.known',
      'device.draft',
      'device.drafts',
      'device.keptOrders',
      'device.push',
      'device.files',
      'device.agent',
    ],
    texts: ['device.needed', 'device.position'],
  },
  {
    title: 'retention.title',
    texts: [
      'retention.text',
      'retention.old',
      'retention.deleted',
      'retention.kept',
      'retention.receipts',
      'retention.refused',
      'retention.backups',
    ],
  },
  {
    title: 'rights.title',
    intro: 'rights.intro',
    items: [
      'rights.know',
      'rights.copy',
      'rights.correct',
      'rights.destroy',
      'rights.sessions',
      'rights.withdraw',
      'rights.complain',
    ],
  },
]

/** What the sections say, for those who do not open them. */
const short: readonly TextKey[] = ['short.kept', 'short.period', 'short.deletion']

export function PrivacyPolicyPage() {
  const { t } = useTranslation('privacy')
  const language = useLanguage()
  return (
    <Page title={t('title')} width="table">
      <div className={`${layout.stack} ${styles.policy}`}>
        <p>{t('intro', { name: brand.name[language] })}</p>
        <section>
          <h2>{t('short.title')}</h2>
          <ul className={`${layout.stack} ${layout.gap2}`}>
            {short.map((text) => (
              <li key={text}>{t(text)}</li>
            ))}
          </ul>
        </section>
        <div>
          {sections.map(({ title, intro, items, texts = [] }) => (
            <details key={title} className={styles.fold}>
              <summary className={layout.split}>
                <h2>{t(title)}</h2>
                <Icon name="chevron" />
              </summary>
              <div className={`${layout.stack} ${layout.gap3}`}>
                {intro === undefined ? null : <p>{t(intro)}</p>}
                {items === undefined ? null : (
                  <ul className={`${layout.stack} ${layout.gap2}`}>
                    {items.map((item) => (
                      <li key={item}>{t(item)}</li>
                    ))}
                  </ul>
                )}
                {texts.map((text) => (
                  <p key={text}>{t(text)}</p>
                ))}
              </div>
            </details>
          ))}
        </div>
        <section>
          <h2>{t('contact.title')}</h2>
          <div className={`${layout.stack} ${layout.gap3}`}>
            <p>{t('contact.text')}</p>
            <ContactList />
          </div>
        </section>
      </div>
    </Page>
  )
}
