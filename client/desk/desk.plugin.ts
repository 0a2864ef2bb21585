import type { Plugin, Rolldown } from 'vite'
import { deskPath } from '#shared/platform/pages.ts'

/** Under `npm run dev`: every page of the desk is its one document, as the gateway serves it. */
export function deskDocument(): Plugin {
  return {
    name: 'desk-document',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [path = ''] = (request.url ?? '').split('?')
        const isPage = path === deskPath || path.startsWith(`${deskPath}/`)
        const isOther = /\.\w+$|\/(?:sign-in|callback)$/.test(path)
        if (isPage && !isOther) request.url = `${deskPath}/index.html`
        next()
      })
    },
  }
}

/** The language of a file of texts, and a file for each of them: the desk shows all its texts on one day. */
const textsOf = (id: string): string | null => {
  const language = /\.([\w-]+)\.json$/.exec(id)?.[1]
  return language === undefined ? null : `texts-${language}`
}

/** The files of the desk besides those of its pages: left to itself, the bundler makes one of every few shared modules. */
export const deskChunks: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: 'vendor',
      test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|@tanstack)\//,
      priority: 3,
    },
    { name: 'antd', test: /\/node_modules\//, priority: 2 },
    { name: textsOf, debugName: 'texts', priority: 1 },
    { name: 'shared', test: /\/(client|shared)\//, minShareCount: 2 },
  ],
}
