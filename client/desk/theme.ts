import type { ThemeConfig } from 'antd'
import { useState } from 'react'
import { useMediaQuery } from '#client/platform/store.ts'
import { tableLook, textScale } from '#client/ui/antd-look.tsx'

const fixed = {
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
  Layout: { lightSiderBg: 'var(--page)' },
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
  Table: { ...tableLook, cellPaddingBlockMD: 6 },
  Tag: { defaultBg: 'var(--dune)', defaultColor: 'var(--muted)' },
  Timeline: { dotSize: 26 * scale, itemPaddingBottom: 8, tailColor: 'var(--rule)' },
})

/** The desk's own part of antd's theme: sizes for a mouse or a finger, in the text size that the reader has at the start. */
export function useDeskTheme(): Required<Pick<ThemeConfig, 'token' | 'components'>> {
  const isTouched = useMediaQuery('(pointer: coarse)')
  const [scale] = useState(textScale)
  const controlHeight = (isTouched ? touchHeight : 34) * scale
  return {
    token: {
      ...fixed,
      // As --text-small.
      fontSize: 15 * scale,
      controlHeight,
      ...(isTouched && { controlHeightSM: controlHeight }),
    },
    components: componentsOf(scale, controlHeight),
  }
}
