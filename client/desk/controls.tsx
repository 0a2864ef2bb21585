import { App } from 'antd'
import type { ReactNode } from 'react'
import { useLanguage } from '#client/platform/i18n.ts'
import { AntdLook } from '#client/ui/antd-look.tsx'
import { languages } from '#shared/platform/language.ts'
import { noticesPlace } from './notices.tsx'
import { useDeskTheme } from './theme.ts'

/** antd with the desk's theme, and the place of its notices. */
export function Controls({ children }: { children: ReactNode }) {
  const { direction } = languages[useLanguage()]
  return (
    <AntdLook name="desk" {...useDeskTheme()} componentSize="middle" button={{ autoInsertSpace: false }}>
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
    </AntdLook>
  )
}
