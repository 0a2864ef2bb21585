import type { ComponentType } from 'react'
import type { IconName } from '#client/ui/icon.tsx'
import type { StaffSession } from '#shared/desk/desk.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export interface DeskPageProps {
  readonly staff: StaffSession
}

export interface DeskPage {
  /** Below /desk, as the router spells it. */
  readonly path: string
  /** In the menu; absent for a page that others lead to. */
  readonly menu?: { readonly text: string; readonly icon: IconName }
  /** Default: every role. Whoever has none of them finds no such page. */
  readonly roles?: readonly StaffRole[]
  /** In a file of its own. */
  readonly load: () => Promise<ComponentType<DeskPageProps>>
}

/** One row per page. Menu and router follow it. */
export const deskPages: readonly DeskPage[] = [
  {
    path: '/',
    menu: { text: 'home.title', icon: 'person' },
    load: async () => (await import('./home.page.tsx')).HomePage,
  },
]

/** The pages of a person. */
export const pagesOf = ({ roles: own }: Pick<StaffSession, 'roles'>): readonly DeskPage[] =>
  deskPages.filter(({ roles }) => roles === undefined || roles.some((role) => own.includes(role)))
