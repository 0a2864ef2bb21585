import { App } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { CopyButton } from './copy-button.tsx'
import { PartnerText } from './partner-text.tsx'

/** The id of the element that notices are rendered into. */
export const noticesPlace = 'notices'

/** The key of the notice that ends with the page. */
const ofPage = 'of-page'

/**
 * Shows what was done, until the operator closes it or opens another page.
 * `partnerText`: what the operator tells the shipping partner now. It can be read nowhere else, so that notice stays until it is
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
            <CopyButton text={partnerText} />
          </>
        ),
    })
}

/** A live region that is on the page before a notice is: then screen readers announce the notice. */
export function Notices() {
  const { pathname } = useLocation()
  const { notification } = App.useApp()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path ends the notice, and is not read
  useEffect(() => () => notification.destroy(ofPage), [pathname])
  return <div id={noticesPlace} aria-live="polite" />
}
