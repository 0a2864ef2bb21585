import { StyleProvider } from '@ant-design/cssinjs'
import { ConfigProvider, type ConfigProviderProps, theme } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/** The texts of antd's own parts. */
const locales: Record<LanguageCode, NonNullable<ConfigProviderProps['locale']>> = { ar: arabic, en: english }

/** The size of body text, in pixels: Arabic letters are smaller. */
const fontSizeOf = (language: LanguageCode) => (language === 'en' ? 14 : 15)

// The values of ui/tokens.css. antd computes shades from them, so it does not accept custom properties.
const colours = {
  light: {
    colorPrimary: '#0b5d51',
    colorPrimaryHover: '#084840',
    colorPrimaryActive: '#084840',
    colorTextLightSolid: '#ffffff',
    colorLink: '#0b5d51',
    colorLinkHover: '#084840',
    colorLinkActive: '#084840',
    // The focus ring.
    colorPrimaryBorder: '#f2b33d',
    colorSuccess: '#1b6e3c',
    colorWarning: '#8a5a00',
    colorError: '#b3261e',
    colorErrorHover: '#b3261e',
    colorInfo: '#1f4e8c',
    // Behind what is said, not behind a button.
    colorSuccessBg: '#e7f4ec',
    colorWarningBg: '#fff4dc',
    colorErrorBg: '#fcebea',
    colorInfoBg: '#e6edf7',
    colorSuccessBorder: '#1b6e3c',
    colorWarningBorder: '#8a5a00',
    colorErrorBorder: '#b3261e',
    colorInfoBorder: '#1f4e8c',
    colorText: '#14211e',
    colorTextSecondary: '#4b5b56',
    colorTextDescription: '#4b5b56',
    colorTextPlaceholder: '#4b5b56',
    colorTextQuaternary: '#4b5b56',
    colorIcon: '#4b5b56',
    colorBorder: '#737e79',
    colorBorderSecondary: '#e0d5bd',
    colorBgLayout: '#fbf7ee',
    colorBgContainer: '#fffdf7',
    colorBgElevated: '#fffdf7',
    controlItemBgActive: '#fff1d0',
    controlItemBgActiveHover: '#fff1d0',
    controlItemBgHover: '#efe6d2',
  },
  dark: {
    colorPrimary: '#8fd3c4',
    colorPrimaryHover: '#b4e3d8',
    colorPrimaryActive: '#b4e3d8',
    colorTextLightSolid: '#06302b',
    colorLink: '#8fd3c4',
    colorLinkHover: '#b4e3d8',
    colorLinkActive: '#b4e3d8',
    colorPrimaryBorder: '#f2b33d',
    colorSuccess: '#8fd8a8',
    colorWarning: '#f2c46b',
    colorError: '#ffb4ab',
    colorErrorHover: '#ffb4ab',
    colorInfo: '#a9c7f2',
    colorSuccessBg: '#12351f',
    colorWarningBg: '#38290a',
    colorErrorBg: '#43150f',
    colorInfoBg: '#16283f',
    colorSuccessBorder: '#8fd8a8',
    colorWarningBorder: '#f2c46b',
    colorErrorBorder: '#ffb4ab',
    colorInfoBorder: '#a9c7f2',
    colorText: '#f4efe3',
    colorTextSecondary: '#a9bdb7',
    colorTextDescription: '#a9bdb7',
    colorTextPlaceholder: '#a9bdb7',
    colorTextQuaternary: '#a9bdb7',
    colorIcon: '#a9bdb7',
    colorBorder: '#7e938c',
    colorBorderSecondary: '#26443e',
    colorBgLayout: '#0e1b19',
    colorBgContainer: '#15302b',
    colorBgElevated: '#15302b',
    controlItemBgActive: '#3b3010',
    controlItemBgActiveHover: '#3b3010',
    controlItemBgHover: '#26443e',
  },
} as const

const tokens = {
  fontFamily: 'var(--font)',
  borderRadius: 8,
  borderRadiusLG: 10,
  fontWeightStrong: 700,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.15s',
  motionDurationSlow: '0.15s',
} as const

/** Of what is pressed with a finger, in pixels. */
const touchHeight = 44

/** What the look has of its own: bold buttons without a shadow, and the ring of focus around fields. */
const componentsOf = (scale: number) => ({
  Button: {
    fontWeight: 700,
    contentFontSizeSM: 13 * scale,
    paddingInlineSM: 8,
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
  },
  Input: { activeShadow: '0 0 0 3px #f2b33d' },
  Segmented: { trackPadding: 3, trackBg: 'var(--dune)', itemSelectedBg: 'var(--surface)' },
  Modal: { titleFontSize: 17 * scale },
})

/** What the reader's size of text is of the usual one: antd's tokens are pixels. Read once, as styles in rem are at a start. */
function textScale(): number {
  if (typeof document === 'undefined') return 1
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
}

/** Read as a property: browsers hide the attribute's value under a content policy. */
function cspNonce(): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
}

/** antd in the product's language, direction and theme. */
export function Controls({ children }: { children: ReactNode }) {
  const language = useLanguage()
  // ui/tokens.css follows the same query.
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const nonce = cspNonce()
  const [scale] = useState(textScale)
  const isTouched = useMediaQuery('(pointer: coarse)')
  return (
    // In the layer `antd` (style-layers.plugin.ts).
    <StyleProvider layer>
      <ConfigProvider
        direction={languages[language].direction}
        locale={locales[language]}
        theme={{
          algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          token: {
            ...tokens,
            ...colours[isDark ? 'dark' : 'light'],
            fontSize: fontSizeOf(language) * scale,
            controlHeight: (isTouched ? touchHeight : 34) * scale,
            ...(isTouched && { controlHeightSM: touchHeight * scale }),
          },
          components: componentsOf(scale),
          hashed: false,
          cssVar: { key: 'desk' },
        }}
        componentSize="middle"
        button={{ autoInsertSpace: false }}
        {...(nonce === undefined ? {} : { csp: { nonce } })}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  )
}
