import { StyleProvider } from '@ant-design/cssinjs'
import { App, ConfigProvider, type ConfigProviderProps } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import type { ReactNode } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { noticesPlace } from './notices.tsx'
import { useDeskTheme } from './theme.ts'

/** The texts inside antd's components. */
const locales: Record<LanguageCode, NonNullable<ConfigProviderProps['locale']>> = { ar: arabic, en: english }

/** The nonce, read as a property, because browsers hide the attribute's value under a content policy. */
const cspNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined

/** antd in the product's language, direction and theme, and the place of its notices. */
export function Controls({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const theme = useDeskTheme()
  const { direction } = languages[language]
  const nonce = cspNonce()
  return (
    // antd writes its styles into the layer `antd` (style-layers.plugin.ts).
    <StyleProvider layer>
      <ConfigProvider
        direction={direction}
        locale={locales[language]}
        theme={theme}
        componentSize="middle"
        button={{ autoInsertSpace: false }}
        {...(nonce === undefined ? {} : { csp: { nonce } })}
      >
        <App
          component={false}
          notification={{
            placement: direction === 'rtl' ? 'bottomLeft' : 'bottomRight',
            getContainer: () => document.getElementById(noticesPlace) ?? document.body,
            // A notice stays until the operator closes it.
            duration: false,
          }}
        >
          {children}
        </App>
      </ConfigProvider>
    </StyleProvider>
  )
}
