import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { brand } from './shared/platform/brand.ts'
import { defaultLanguage } from './shared/platform/language.ts'

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const gateway = `http://127.0.0.1:${process.env.PORT ?? '3000'}`

/** Name and description of the document come from the brand record, so a renamed product needs no edit here. */
function brandInDocument(): Plugin {
  const title = `${brand.tagline[defaultLanguage]} | ${brand.name[defaultLanguage]}`
  const description = brand.description[defaultLanguage]
  return {
    name: 'brand-in-document',
    transformIndexHtml: () => [
      { tag: 'title', children: title, injectTo: 'head' },
      { tag: 'meta', attrs: { name: 'description', content: description }, injectTo: 'head' },
      { tag: 'meta', attrs: { property: 'og:title', content: title }, injectTo: 'head' },
      { tag: 'meta', attrs: { property: 'og:description', content: description }, injectTo: 'head' },
      { tag: 'meta', attrs: { property: 'og:type', content: 'website' }, injectTo: 'head' },
    ],
  }
}

export default defineConfig({
  root: pathTo('client'),
  plugins: [react(), brandInDocument()],
  resolve: {
    alias: [{ find: /^typebox$/, replacement: pathTo('client/platform/typebox-stub.ts') }],
  },
  // The gateway replaces it in every answer by a fresh nonce.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: pathTo('dist/client'),
    emptyOutDir: true,
    // The content policy allows no data: addresses.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  server: {
    fs: { allow: [pathTo('.')] },
    proxy: { '/api': gateway, '/healthz': gateway },
  },
})
