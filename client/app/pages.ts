import type { ComponentType, ReactNode } from 'react'
import { whileWaiting } from '#client/platform/connection.ts'
import { loadTexts } from '#client/platform/i18n.ts'
import { type PageName, pageAt, pages } from '#shared/platform/pages.ts'
import { type LazyPart, lazyPart } from './lazy-part.ts'
import { type LayoutName, layouts, type PageFile, pageFiles } from './page-files.ts'
import { routes } from './routes.ts'

export const pageParts = partsOf<PageName, object>(Object.keys(pages) as PageName[], (name) =>
  withTexts(pageFiles[name]),
)
export const layoutParts = partsOf<LayoutName, { children: ReactNode }>(
  Object.keys(layouts) as LayoutName[],
  (name) => layouts[name],
)

function partsOf<N extends string, P extends object>(
  names: readonly N[],
  loadOf: (name: N) => () => Promise<ComponentType<P>>,
) {
  const parts = names.map((name) => [name, lazyPart(loadOf(name))] as const)
  return Object.fromEntries(parts) as Readonly<Record<N, LazyPart<P>>>
}

function withTexts({ load, texts }: PageFile): PageFile['load'] {
  return async () => {
    const [page] = await Promise.all([load(), ...texts.map(loadTexts)])
    return page
  }
}

const loaded = new Set<string>()

/** True when the page of a path can be shown at once. */
export const isLoaded = (pathname: string): boolean => loaded.has(pathname)

/** Loads the page of a path. Never rejects: a failure is shown when the page is rendered. */
export async function loadPage(pathname: string): Promise<void> {
  const name = pageAt(pathname)
  if (name === undefined) return
  const { layout } = routes[name]
  const parts = [pageParts[name], ...(layout === undefined ? [] : [layoutParts[layout]])]
  const results = await Promise.allSettled(parts.map((part) => part.preload()))
  if (results.every(({ status }) => status === 'fulfilled')) loaded.add(pathname)
}

/** Starts loading the page of a path, in parallel with the session. */
export function preloadPage(pathname: string): void {
  void whileWaiting(loadPage(pathname))
}
