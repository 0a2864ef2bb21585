import { Alert } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import { CopyButton } from './copy-button.tsx'
import { PartnerText } from './partner-text.tsx'

interface Said {
  readonly text: string
  /** What the person tells the shipping partner now. It is read nowhere else: it stays until the person closes it. */
  readonly partnerText?: string | undefined
}

const said = createStore<Said | undefined>(undefined)

/** Says above the page what was done, until the person goes on. */
export const say = (text: string, partnerText?: string): void => said.set({ text, partnerText })

export function Said() {
  const { t } = useTranslation('desk')
  const { text, partnerText } = useStore(said) ?? {}
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path ends what was said, and is not read
  useEffect(
    () => () => {
      if (said.get()?.partnerText === undefined) said.set(undefined)
    },
    [pathname],
  )
  const toPartner =
    partnerText === undefined ? undefined : (
      <>
        <p>{t('partner.tell')}</p>
        <PartnerText text={partnerText} />
        <CopyButton key={partnerText} text={partnerText} />
      </>
    )
  return (
    <div role="status">
      {text === undefined ? null : (
        <Alert
          type="success"
          showIcon
          closable={{ onClose: () => said.set(undefined), 'aria-label': t('hide') }}
          title={text}
          description={toPartner}
        />
      )}
    </div>
  )
}
