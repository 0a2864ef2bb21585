import { type ThemeConfig, theme } from 'antd'
import { useState } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { useMediaQuery } from '#client/platform/store.ts'

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

const fixed = {
  fontFamily: 'var(--font)',
  borderRadius: 8,
  borderRadiusLG: 10,
  fontWeightStrong: 700,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.15s',
  motionDurationSlow: '0.15s',
} as const

/** Height of a control under a finger, in pixels. */
const touchHeight = 44

/** @param control height of a control, in pixels */
const componentsOf = (scale: number, control: number): NonNullable<ThemeConfig['components']> => ({
  Button: {
    fontWeight: 700,
    contentFontSizeSM: 13 * scale,
    paddingInlineSM: 8,
    primaryShadow: 'none',
    defaultShadow: 'none',
    dangerShadow: 'none',
  },
  Card: { bodyPaddingSM: 14, headerFontSizeSM: 16 * scale },
  Descriptions: { itemPaddingBottom: 4, colonMarginRight: 12 },
  Form: { itemMarginBottom: 0, verticalLabelPadding: '0 0 4px' },
  Input: { activeShadow: '0 0 0 3px var(--saffron)' },
  Layout: { headerBg: 'var(--night)', headerColor: 'var(--on-night)', lightSiderBg: 'var(--page)' },
  Menu: {
    itemBg: 'transparent',
    itemColor: 'var(--ink)',
    itemHoverBg: 'var(--dune)',
    itemSelectedBg: 'var(--dune)',
    itemSelectedColor: 'var(--ink)',
    itemHeight: control,
    itemMarginBlock: 2,
    activeBarBorderWidth: 0,
  },
  Modal: { titleFontSize: 17 * scale },
  Segmented: { trackPadding: 3, trackBg: 'var(--dune)', itemSelectedBg: 'var(--surface)' },
  Table: {
    headerBg: 'var(--dune)',
    headerColor: 'var(--muted)',
    headerSplitColor: 'transparent',
    headerSortActiveBg: 'var(--dune)',
    headerSortHoverBg: 'var(--selected)',
    bodySortBg: 'transparent',
    rowHoverBg: 'var(--dune)',
    cellPaddingBlockMD: 6,
    cellPaddingInlineMD: 10,
  },
  Tag: { defaultBg: 'var(--dune)', defaultColor: 'var(--muted)' },
  Timeline: { dotSize: 26 * scale, itemPaddingBottom: 8, tailColor: 'var(--rule)' },
})

/** Ratio of the reader's text size to the usual one: antd's tokens are pixels. Read once, at the start. */
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1

/** antd's theme after ui/tokens.css: light or dark, for a mouse or a finger, in the reader's text size. */
export function useDeskTheme(): ThemeConfig {
  // Arabic letters look smaller at the same size.
  const fontSize = useLanguage() === 'en' ? 14 : 15
  // ui/tokens.css follows the same query.
  const isDark = useMediaQuery('(prefers-color-scheme: dark)')
  const isTouched = useMediaQuery('(pointer: coarse)')
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [scale] = useState(textScale)
  const controlHeight = (isTouched ? touchHeight : 34) * scale
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      ...fixed,
      ...readColours(),
      fontSize: fontSize * scale,
      controlHeight,
      motion: !isStill,
      ...(isTouched && { controlHeightSM: controlHeight }),
    },
    components: componentsOf(scale, controlHeight),
    hashed: false,
    cssVar: { key: 'desk' },
  }
}
