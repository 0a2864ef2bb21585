import type { Plugin } from 'vite'
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
