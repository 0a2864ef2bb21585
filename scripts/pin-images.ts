import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dockerHub, pinImages, readDigest } from './lib/images.ts'
import { root } from './lib/repo.mjs'
import { runTool, UsageError } from './lib/tool.ts'

const usage = `npm run pin-images

Asks Docker Hub for the digest of every image in Dockerfile and docker-compose.yml and writes it behind the tag
(node:26-slim@sha256:…), so that a later build uses the same bytes. Run it again to take up newer images, and commit the
result. Without a network nothing is changed.`

await runTool(usage, async (args) => {
  if (args.length > 0) throw new UsageError('It takes no arguments.')
  const files = ['Dockerfile', 'docker-compose.yml'].map((name) => ({ name, path: join(root, name) }))
  // All digests before the first file is written.
  const pinned = await Promise.all(
    files.map(async ({ name, path }) => {
      const before = readFileSync(path, 'utf8')
      const after = await pinImages(before, (image) =>
        readDigest(image, dockerHub).catch((error: unknown) => {
          const { cause } = error as { cause?: { message?: string } }
          throw new Error(
            `${image.repository}:${image.tag}: ${cause?.message ?? String(error)}. Nothing is changed.`,
          )
        }),
      )
      return { name, path, before, after }
    }),
  )
  for (const { name, path, before, after } of pinned) {
    if (after !== before) writeFileSync(path, after)
    console.log(`${name}: ${after === before ? 'unchanged' : 'pinned'}`)
  }
})
