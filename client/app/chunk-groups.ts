import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { textGroupOf } from '#client/platform/text-groups.ts'
import { routeModules } from './route-modules.ts'

/*
 * Left to itself, the bundler makes a file of every few modules that the same pages share: the list of orders came in 35
 * files, for which a slow line waits in turns.
 */

/** The libraries that every page needs: a file that changes with their versions alone. */
const ofVendor =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack)\//

/** Only the start page shows this picture, so it stays in the file of the start page. */
const ofHome = ['features/home/hero-picture.tsx']

/** Loaded after the sign-in page. In that file it would load the whole group of the pages behind the sign-in. */
const signInLater = ['features/sessions/phone-numbers.ts']

/** Three pages of visitors share them: in the group, everyone behind the sign-in would load them, too. */
const ofVisitors = ['features/sessions/sign-in-form.tsx', 'features/sessions/code-field.tsx']

/** What the form of those needs, and pages behind the sign-in too. */
const formControls = ['ui/field.tsx', 'ui/field.module.css']

/** Three pages of pilgrims share each: in the group, agents would load it, too. */
const ofPilgrims = [
  'entities/airway-bill/full-screen-code.tsx',
  'entities/tag/timeline.tsx',
  'entities/tag/tag-back.tsx',
  'entities/tag/tag-frame.tsx',
  'entities/tag/tag-screen.tsx',
  'entities/order/another-bag.tsx',
  'entities/order/receiver-form.tsx',
]

/** So small that a file of their own costs more than loading them with pages that do not need them. */
const small = [
  'platform/dates.ts',
  'platform/install-offer.ts',
  'ui/cord.tsx',
  'ui/form.tsx',
  'ui/problem.tsx',
  'entities/purchase/price.rules.ts',
  'entities/push/browser-push.ts',
  'entities/push/push-row.tsx',
  'entities/tag/tag.rules.ts',
  '../shared/orders/travel.rules.ts',
]

/** One file with the modules that the first pages share with others, and one with those that pages behind the sign-in share. */
export async function chunkGroups(): Promise<Rolldown.CodeSplittingGroup[]> {
  const { sharedBy } = await routeModules()
  return [
    { name: 'vendor', debugName: 'vendor', test: ofVendor, priority: 5 },
    { name: textsOf, debugName: 'texts', priority: 4 },
    // Every visit begins with one of these.
    { name: groupOf('first', ['main.tsx', ...sharedBy('first')], ofHome), debugName: 'first', priority: 3 },
    {
      name: groupOf('sign-in', sharedBy('sign-in'), ofVisitors, formControls),
      debugName: 'sign-in',
      priority: 2,
      minShareCount: 3,
    },
    {
      name: groupOf('user', sharedBy('user'), [...signInLater, ...ofVisitors, ...ofPilgrims], small),
      debugName: 'user',
      priority: 1,
      minShareCount: 3,
    },
  ]
}

/** A file for each group of texts and language. */
function textsOf(id: string): string | null {
  const language = /\.([\w-]+)\.json$/.exec(id)?.[1]
  return language === undefined ? null : `texts-${textGroupOf(id)}-${language}`
}

/** Names the group for every module that its pages import, directly or through others, but `others` and what they import, and for `more`. */
function groupOf(
  name: string,
  pages: readonly string[],
  others: readonly string[] = [],
  more: readonly string[] = [],
): Rolldown.CodeSplittingNameFunction {
  let members: ReadonlySet<string> | undefined
  return (id, graph) => {
    members ??= new Set([
      ...importedBy(pages, graph, new Set([...others.map(idOf), ...importedBy(others, graph)])),
      ...more.map(idOf),
    ])
    return members.has(id) ? name : null
  }
}

const idOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

function importedBy(
  pages: readonly string[],
  graph: Rolldown.ChunkingContext,
  except: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const found = new Set<string>()
  const pageIds: string[] = []
  const add = (id: string) => {
    if (found.has(id) || except.has(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  for (const page of pages) {
    const id = idOf(page)
    if (graph.getModuleInfo(id) === null) throw new Error(`no module ${page}`)
    pageIds.push(id)
    add(id)
  }
  for (const id of pageIds) found.delete(id)
  return found
}
