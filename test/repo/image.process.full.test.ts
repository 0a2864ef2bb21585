import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtClient, readRepoFile, repoRoot, testFile } from '#test/kit/repo-files.ts'
import { startStack } from '#test/kit/stack.ts'

/*
 * What the Dockerfile copies, in empty folders: without a container engine this shows a file or a package that an image
 * lacks. It does not show the system of the image, its user or its read-only disk.
 */

const folder = mkdtempSync(join(tmpdir(), 'amtiati-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines of one stage of the Dockerfile. */
function stageOf(name: string): string[] {
  const [, stage] =
    new RegExp(`^FROM \\S+ AS ${name}\\n([\\s\\S]*?)(?=^FROM |$(?![\\s\\S]))`, 'm').exec(
      readRepoFile('Dockerfile'),
    ) ?? []
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  return stage.split('\n')
}

/** Makes the folder of a stage: its COPY lines, from the repository or from folders made for other stages. */
function build(name: string, others: Readonly<Record<string, string>>): string {
  const target = join(folder, name)
  mkdirSync(target)
  for (const line of stageOf(name)) {
    const [, from, sources = '', to = ''] = /^COPY (?:--from=(\S+) )?(.+) (\S+)$/.exec(line) ?? []
    for (const source of sources.split(' ').filter(Boolean)) {
      const origin =
        from === undefined ? join(repoRoot, source) : source.replace(/^\/app/, others[from] ?? '')
      const isInto = to.endsWith('/')
      cpSync(origin, join(target, to, isInto ? basename(source) : ''), {
        recursive: true,
        filter: (path) => !testFile.test(path),
      })
    }
  }
  return target
}

beforeAll(() => {
  const packages = join(folder, 'packages')
  mkdirSync(packages)
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(repoRoot, name), join(packages, name))
  const { status, stderr } = spawnSync(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit'],
    { cwd: packages, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`npm ci ended with ${status}: ${stderr}`)
  const client = join(folder, 'client')
  cpSync(builtClient(), join(client, 'dist/client'), { recursive: true })
  const others = { 'gateway-dependencies': packages, 'all-dependencies': repoRoot, client }
  build('gateway', others)
  build('mock-partner', others)
})

it('gateway and simulator of the images start, and a document, a list and a code are served', async () => {
  const stack = await startStack({
    folders: { gateway: join(folder, 'gateway'), simulator: join(folder, 'mock-partner') },
  })
  try {
    const document = await fetch(stack.gatewayUrl)
    expect(document.status).toBe(200)
    expect(await document.text()).toContain('<html')
    expect((await fetch(`${stack.gatewayUrl}/api/partner/centers`)).status).toBe(200)
    const counters = await stack.control.counters()
    expect(counters.sends).toBe(0)
  } finally {
    await stack.close()
  }
})

it('the tools of an operator start', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/ops.ts'], {
    cwd: join(folder, 'gateway'),
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).toContain('npm run ops')
  expect(status).not.toBe(0)
})
