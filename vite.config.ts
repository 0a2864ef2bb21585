import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './client/app/chunk-groups.ts'
import { styleLayers } from './client/app/style-layers.plugin.ts'
import { deskChunks } from './client/desk/desk-chunks.ts'
import { answerChecks } from './client/platform/answer-checks.plugin.ts'
import { browserFloor } from './client/platform/browser-floor.ts'
import { offlineWorker } from './client/worker/worker.plugin.ts'
import { fontsFolder, writeFonts } from './scripts/lib/fonts.mjs'
import { deskCallbackPath, deskSignInPath } from './shared/desk/staff/staff.operations.ts'
// desk
import { deskPath } from './shared/platform/pages.ts'

// desk

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const gateway = `http://127.0.0.1:${process.env.PORT ?? '3000'}`

/** `--mode desk` builds the desk of staff (client/desk): an app of its own, whose chunks no other app shares. */
export default defineConfig(async ({ command, mode, isSsrBuild }) => {
  const isDesk = mode === 'desk'
  /** Not the desk, and not the bundle that renders pages at build. */
  const isApp = command === 'build' && !isDesk && isSsrBuild !== true
  await writeFonts()
  return {
    root: pathTo('client'),
    plugins: [
      react(),
      // The desk calls none of the checked operations.
      answerChecks(isDesk ? {} : undefined),
      ...(isDesk ? [] : [offlineWorker()]),
    ],
    css: {
      postcss: { plugins: [styleLayers()] },
      modules: { generateScopedName: '[folder]-[name]-[local]' },
    },
    resolve: {
      alias: [
        ...(isDesk
          ? [
              {
                find: /^#client\/platform\/catalogues\.ts$/,
                replacement: pathTo('client/desk/no-catalogues.ts'),
              },
            ]
          : []),
        { find: /^#fonts\//, replacement: `${fontsFolder}/` },
        // Of @rc-component/util.
        { find: /^\.\/getScrollBarSize$/, replacement: pathTo('client/platform/scroll-bar-size.ts') },
      ],
    },
    // The gateway replaces it in every answer by a fresh nonce.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      target: browserFloor,
      outDir: pathTo('dist/client'),
      emptyOutDir: !isDesk,
      manifest: isDesk ? '.vite/desk.json' : true,
      // Chunks name each other by names without a hash, which the document's import map resolves: a change renames the
      // changed file alone. The bundle that renders pages at build runs without a document.
      chunkImportMap: isApp,
      ...(isDesk && { copyPublicDir: false }),
      rolldownOptions: {
        ...(isDesk && {
          input: pathTo('client/desk/index.html'),
          // desk
          output: { codeSplitting: { groups: deskChunks } },
          // desk
        }),
        ...(isApp && { output: { codeSplitting: { groups: await chunkGroups() } } }),
      },
      // The content policy allows no data: addresses.
      assetsInlineLimit: 0,
      sourcemap: false,
      // In kB. The largest files have antd in them: the agents' table, on wide screens alone, and the desk.
      chunkSizeWarningLimit: isDesk ? 1_200 : 700,
      modulePreload: {
        // A file of texts imports nothing: to preload it would only name it twice.
        resolveDependencies: (file: string, files: string[], { hostType }: { hostType: 'html' | 'js' }) =>
          hostType === 'js' && file.includes('/texts-') ? [] : files,
      },
    },
    server: {
      fs: { allow: [pathTo('.')] },
      proxy: {
        '/api': gateway,
        '/healthz': gateway,
        // desk
        [deskSignInPath]: gateway,
        [deskCallbackPath]: gateway,
        // Every page of the desk is its one document, as the gateway serves it.
        [`^${deskPath}(?:/|$)(?!.*\\.\\w+$)`]: {
          target: gateway,
          bypass: () => `${deskPath}/index.html`,
        },
        // desk
      },
    },
  }
})
