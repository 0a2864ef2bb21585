import type { TextGroup } from '#client/platform/text-groups.ts'
import type { PageName } from '#shared/platform/pages.ts'
import type { PageFile } from './page-files.ts'
import { routes } from './routes.ts'

/*
 * For the build, which runs in Node: the modules of each page, as paths under client/. They are read from the imports in
 * page-files.ts, so that no second list names them.
 */

export async function routeModules() {
  // Not bundled with the configuration of the build, which would rewrite the imports.
  const source = new URL('page-files.ts', import.meta.url).href
  const { pageFiles, layouts } = (await import(source)) as typeof import('./page-files.ts')
  const pages = Object.keys(pageFiles) as PageName[]

  function modulesOf(page: PageName): string[] {
    const { layout } = routes[page]
    return [...(layout === undefined ? [] : [moduleOf(layouts[layout])]), moduleOf(pageFiles[page].load)]
  }
  function modulesWhere(matches: (page: PageName) => boolean): string[] {
    return [...new Set(pages.filter(matches).flatMap(modulesOf))]
  }

  return {
    /** The modules and texts that the document of a page names; `undefined` is the document of all other paths. */
    of: (page: PageName | undefined): { modules: string[]; textGroups: TextGroup[] } => ({
      modules: page === undefined ? [] : modulesOf(page),
      textGroups: page === undefined ? ['frame'] : ['frame', ...pageFiles[page].texts],
    }),
    /** The pages that show kept orders. */
    pagesWithKept: pages.filter((page) => routes[page].shows === 'kept-orders'),
    sharedBy: (file: PageFile['sharedFile']) => modulesWhere((page) => pageFiles[page].sharedFile === file),
  }
}

function moduleOf(load: () => unknown): string {
  const [, from, path] = /\bimport\(\s*'(#client|\.)\/([^']+)'/.exec(String(load)) ?? []
  if (path === undefined) throw new Error(`no import in the row ${load}`)
  return from === '.' ? `app/${path}` : path
}
