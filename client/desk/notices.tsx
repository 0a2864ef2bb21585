import { App } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { PartnerText } from './partner-text.tsx'

/** The id of the element that notices are rendered into. */
export const noticesPlace = 'notices'

/** Key of the notice that disappears when the operator opens another page. */
const ofPage = 'of-page'

/**
 * Shows a notice about a finished act until the operator closes it or opens another page.
 * `partnerText` is a text for the shipping partner. It is shown nowhere else, so its notice stays on every page until it is
 * closed.
 */
export function useNotice(): (text: string, partnerText?: string) => void {
  const { t } = useTranslation('desk')
  const { notification } = App.useApp()
  return (text, partnerText) =>
    notification.success({
      key: partnerText ?? ofPage,
      role: 'status',
      title: text,
      closable: { 'aria-label': t('hide') },
      description:
        partnerText === undefined ? undefined : (
          <>
            <p>{t('partner.tell')}</p>
            <PartnerText text={partnerText} />
          </>
        ),
    })
}

/** A live region. It is on the page before the first notice, because only then screen readers announce the notice. */
export function Notices() {
  const { pathname } = useLocation()
  const { notification } = App.useApp()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path ends the notice, and is not read
  useEffect(() => () => notification.destroy(ofPage), [pathname])
  return <div id={noticesPlace} aria-live="polite" />
}
