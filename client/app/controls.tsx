import { App, ConfigProvider } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import type { ReactNode } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

const locales = { ar: arabic, en: english } as const

/** The size of body text in ui/tokens.css. */
const fontSizes: Record<LanguageCode, number> = { ar: 18, en: 17 }

// The values of ui/tokens.css: antd computes shades from them, so it cannot take custom properties.
const tokens = {
  colorPrimary: '#0b5d51',
  colorPrimaryHover: '#084840',
  colorPrimaryActive: '#084840',
  colorLink: '#0b5d51',
  colorLinkHover: '#084840',
  colorLinkActive: '#084840',
  // The focus ring.
  colorPrimaryBorder: '#0b5d51',
  colorSuccess: '#1b6e3c',
  colorWarning: '#8a5a00',
  colorError: '#b3261e',
  colorErrorHover: '#b3261e',
  colorInfo: '#0b5d51',
  colorText: '#14211e',
  colorTextSecondary: '#4b5b56',
  colorTextDescription: '#4b5b56',
  colorTextPlaceholder: '#4b5b56',
  colorTextQuaternary: '#4b5b56',
  colorIcon: '#4b5b56',
  colorBorder: '#8a9691',
  colorBorderSecondary: '#e3e6e2',
  colorBgLayout: '#fbfaf7',
  controlItemBgActive: '#e6f0ee',
  controlItemBgActiveHover: '#e6f0ee',
  controlItemBgHover: '#f1f3f1',
  fontFamily: 'var(--font)',
  borderRadius: 8,
  borderRadiusLG: 12,
  controlHeight: 48,
  fontWeightStrong: 700,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.15s',
  motionDurationSlow: '0.15s',
} as const

/** Lines instead of shadows. */
const components = {
  Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
} as const

/** Read as a property: browsers hide the attribute once the policy has arrived. */
function cspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}

/** antd in the language, direction and look of the product, and the place its toasts appear in. */
export function Controls({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const nonce = cspNonce()
  return (
    <ConfigProvider
      direction={languages[language].direction}
      locale={locales[language]}
      theme={{
        token: { ...tokens, fontSize: fontSizes[language] },
        components,
        hashed: false,
        cssVar: { key: 'app' },
      }}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      <App component={false} message={{ duration: 6, top: 8, maxCount: 1 }}>
        {children}
      </App>
    </ConfigProvider>
  )
}
