import { App, ConfigProvider, type ConfigProviderProps } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useLanguage } from '#client/platform/i18n.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/** The texts of antd's own parts. */
const locales: Record<LanguageCode, NonNullable<ConfigProviderProps['locale']>> = { ar: arabic, en: english }

/** The size of body text, in pixels, as ui/tokens.css sets it. */
const fontSizeOf = (language: LanguageCode) => (language === 'en' ? 17 : 18)

// The values of ui/tokens.css. antd computes shades from them, so it does not accept custom properties.
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

/** Read as a property: browsers hide the attribute's value under a content policy. */
function cspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}

/** Closes the toast on the next input, page or language. */
function ToastDismissal() {
  const { message } = App.useApp()
  const language = useLanguage()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or language closes the toast
  useEffect(() => message.destroy(), [message, pathname, language])
  useEffect(() => {
    const end = () => message.destroy()
    document.addEventListener('input', end)
    return () => document.removeEventListener('input', end)
  }, [message])
  return null
}

/** antd in the product's language, direction and theme, and the container of its toasts. */
export function Controls({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const nonce = cspNonce()
  return (
    <ConfigProvider
      direction={languages[language].direction}
      locale={locales[language]}
      theme={{
        token: { ...tokens, fontSize: fontSizeOf(language) },
        components,
        hashed: false,
        cssVar: { key: 'app' },
      }}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      <App component={false} message={{ duration: 6, top: 8, maxCount: 1 }}>
        {/* Before the children: a new page's own toast must be shown after this has closed the previous one. */}
        <ToastDismissal />
        {children}
      </App>
    </ConfigProvider>
  )
}
