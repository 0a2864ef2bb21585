import { StyleProvider } from '@ant-design/cssinjs'
import { ConfigProvider, type ConfigProviderProps, type ThemeConfig, theme } from 'antd'
import arabic from 'antd/locale/ar_EG'
import english from 'antd/locale/en_US'
import { useLanguage } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'

/** antd's colours, each with its variable in ui/tokens.css. */
const colours = {
  colorPrimary: '--primary',
  colorPrimaryHover: '--primary-pressed',
  colorPrimaryActive: '--primary-pressed',
  colorTextLightSolid: '--on-primary',
  colorLink: '--primary',
  colorLinkHover: '--primary-pressed',
  colorLinkActive: '--primary-pressed',
  // antd uses this colour for the focus ring.
  colorPrimaryBorder: '--saffron',
  colorSuccess: '--paid',
  colorSuccessBg: '--paid-soft',
  colorSuccessBorder: '--paid',
  colorWarning: '--pending',
  colorWarningBg: '--pending-soft',
  colorWarningBorder: '--pending',
  colorError: '--error',
  colorErrorHover: '--error',
  colorErrorBg: '--error-soft',
  colorErrorBorder: '--error',
  colorInfo: '--info',
  colorInfoBg: '--info-soft',
  colorInfoBorder: '--info',
  colorText: '--ink',
  colorTextSecondary: '--muted',
  colorTextTertiary: '--muted',
  colorTextDescription: '--muted',
  colorTextPlaceholder: '--muted',
  colorTextQuaternary: '--muted',
  colorIcon: '--muted',
  colorBorder: '--line',
  colorBorderSecondary: '--rule',
  colorSplit: '--rule',
  colorBgLayout: '--page',
  colorBgContainer: '--surface',
  colorBgElevated: '--surface',
  controlItemBgActive: '--selected',
  controlItemBgActiveHover: '--selected',
  controlItemBgHover: '--dune',
} as const

/** antd computes shades of its colours, so it needs their values. Without a style sheet (jsdom) it keeps its own. */
function readColours(): NonNullable<ThemeConfig['token']> {
  const styles = getComputedStyle(document.documentElement)
  const values = Object.entries(colours).map(([name, token]) => [name, styles.getPropertyValue(token).trim()])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** The look of antd's Table. */
export const tableLook = {
  headerBg: 'var(--dune)',
  headerColor: 'var(--muted)',
  headerSplitColor: 'transparent',
  headerSortActiveBg: 'var(--dune)',
  headerSortHoverBg: 'var(--selected)',
  bodySortBg: 'transparent',
  rowHoverBg: 'var(--dune)',
  cellPaddingInlineMD: 10,
} as const

/** Ratio of the reader's text size to the usual one: antd's tokens are pixels. */
export const textScale = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1

/** The texts inside antd's components. */
const locales: Record<LanguageCode, NonNullable<ConfigProviderProps['locale']>> = { ar: arabic, en: english }

/** The nonce, read as a property, because browsers hide the attribute's value under a content policy. */
const cspNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined

interface AntdLookProps extends Omit<ConfigProviderProps, 'theme' | 'direction' | 'locale' | 'csp'> {
  /** Part of the names of antd's variables. */
  readonly name: string
  /** Tokens in addition to those of colours, font and motion. */
  readonly token: NonNullable<ThemeConfig['token']>
  readonly components: NonNullable<ThemeConfig['components']>
}

/** antd in the product's language, direction and look (ui/tokens.css), light or dark, under the page's content policy. */
export function AntdLook({ name, token, components, children, ...rest }: AntdLookProps) {
  const language = useLanguage()
  // ui/tokens.css follows the same query.
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const nonce = cspNonce()
  return (
    // antd writes its styles into the layer `antd` (style-layers.plugin.ts).
    <StyleProvider layer>
      <ConfigProvider
        direction={languages[language].direction}
        locale={locales[language]}
        theme={{
          algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          token: { fontFamily: 'var(--font)', borderRadius: 8, motion: !isStill, ...readColours(), ...token },
          components,
          hashed: false,
          cssVar: { key: name },
        }}
        {...(nonce === undefined ? {} : { csp: { nonce } })}
        {...rest}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  )
}

/*
 * antd writes style sheets with `innerHTML`, which the Trusted Types of the content policy refuse. The text of a style
 * element is never parsed as markup: `textContent` does the same without a policy.
 */
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  configurable: true,
  get(this: HTMLStyleElement) {
    return this.textContent
  },
  set(this: HTMLStyleElement, text: string) {
    this.textContent = text
  },
})
