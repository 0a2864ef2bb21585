import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { demoKeyHeader, readDemoOrder } from '#shared/demo/demo.api.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import { spawnNode } from '#test/kit/programs/spawn.ts'
import { refuses } from '#test/kit/programs/stack.ts'

/** A command of package.json, on ports and a folder of its own. */
function run(script: string, ports: Readonly<Record<string, number | undefined>>, folder: string) {
  const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, ...numbers }
  const child = spawnNode(`scripts/${script}.mjs`, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  child.stdout.setEncoding('utf8').on('data', (part: string) => said.push(part))
  return {
    child,
    said,
    complaints: text(child.stderr),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

it.each([
  ['start', ['PORT', 'MOCK_PARTNER_PORT']],
  ['dev', ['PORT', 'MOCK_PARTNER_PORT', 'VITE_PORT']],
])(
  'npm run %s serves app, API and simulator until Ctrl-C, which leaves nothing',
  async (script, variables) => {
    const folder = freshFolder()
    const { child, ended, urls } = await onFreePorts(variables.length, async (chosen) => {
      const ports = Object.fromEntries(variables.map((name, index) => [name, chosen[index]]))
      const command = run(script, ports, folder)
      const urls = chosen.map((port) => `http://127.0.0.1:${port}`)
      const [gateway, simulator, app = gateway] = urls
      const isServing = eventually(async () => {
        const paths = [`${gateway}/readyz`, `${simulator}/control/counters`, `${app}/`, `${app}/api/config`]
        const answers = await Promise.all(paths.map((url) => fetch(url)))
        const isReady = command.said.join('').includes('Ctrl-C stops everything.')
        return (isReady && answers.every(({ status }) => status === 200)) || undefined
      })
      isServing.catch(() => undefined)
      const early = command.ended.then(async (code) => {
        throw new Error(`ended with ${code}: ${await command.complaints}`)
      })
      await Promise.race([isServing, early])
      early.catch(() => undefined)
      return { ...command, urls }
    })
    // The key of testers is drawn for the folder, so that no page knows it from the source.
    const key = await readFile(join(folder, 'demo-control-key'), 'utf8')
    const answer = await fetch(`${urls[0]}${readDemoOrder.path.replace(':ref', '1')}`, {
      headers: { [demoKeyHeader]: key },
    })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'ORDER_NOT_FOUND' })
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    for (const url of urls) expect(await refuses(url)).toBe(true)
  },
)

it('npm run build finds the client built', async () => {
  const { said, ended } = run('build', {}, tmpdir())
  expect(await ended).toBe(0)
  expect(said.join('')).toBe('dist/client is up to date.\n')
})
