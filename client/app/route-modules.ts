import type { TextGroup } from '#client/platform/text-groups.ts'
import type { PageName } from '#shared/platform/pages.ts'
import type { PageRoute } from './routes.ts'

/*
 * What the build knows of the table of pages, in Node: the modules behind its rows, as paths under client/. They are read
 * from the imports in the rows, so that no second list names them.
 */

export async function routeModules() {
  // Not bundled with the configuration of the build, which would rewrite the imports.
  const source = new URL('routes.ts', import.meta.url).href
  const { routes, layouts } = (await import(source)) as typeof import('./routes.ts')

  function modulesOf({ layout, load }: PageRoute): string[] {
    return [...(layout === undefined ? [] : [moduleOf(layouts[layout])]), moduleOf(load)]
  }
  function modulesWhere(matches: (route: PageRoute) => boolean): string[] {
    return [...new Set(Object.values(routes).filter(matches).flatMap(modulesOf))]
  }

  return {
    /** What the document of a page names; of that for all other paths, the frame. */
    of: (page: PageName | undefined): { modules: string[]; textGroups: TextGroup[] } => ({
      modules: page === undefined ? [] : modulesOf(routes[page]),
      textGroups: page === undefined ? ['frame'] : ['frame', ...routes[page].texts],
    }),
    offline: (role: PageRoute['offline']) => modulesWhere(({ offline }) => offline === role),
    offlinePages: (role: PageRoute['offline']) =>
      (Object.keys(routes) as PageName[]).filter((page) => routes[page].offline === role),
    sharedBy: (file: PageRoute['sharedFile']) => modulesWhere(({ sharedFile }) => sharedFile === file),
  }
}

function moduleOf(load: () => unknown): string {
  const [, from, path] = /\bimport\(\s*'(#client|\.)\/([^']+)'/.exec(String(load)) ?? []
  if (path === undefined) throw new Error(`no import in the row ${load}`)
  return from === '.' ? `app/${path}` : path
}
