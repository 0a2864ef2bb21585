import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../basics/eventually.ts'
import { interpolate, readCompose } from '../repo/compose.ts'
import { repoRoot } from '../repo/repo-files.ts'
import { findOnPath, findOrInstall } from './programs.ts'

/**
 * The images of the Dockerfile, built and run by Docker, or by Podman where no Docker answers. Containers get what
 * docker-compose.yml says of their service, and the network of this machine, because tests choose free ports.
 */

const execute = promisify(execFile)
/** Podman leaves the timer of health checks to systemd, which not every machine has. */
const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' }
const run = (program: string, args: readonly string[]) =>
  execute(program, args, { env, maxBuffer: 100_000_000 })
const prefix = 'amtiati-test'
const certificates = '/etc/ssl/certs/ca-certificates.crt'
type Target = 'gateway' | 'mock-partner'

/** Options of one engine before those that both have. */
export interface Engine {
  readonly program: string
  readonly build: readonly string[]
  readonly run: readonly string[]
}

export interface Container {
  /** What a program prints that is started in it. @throws when it fails. */
  exec(...command: readonly string[]): Promise<string>
  /** The health check of the image, once. @throws when it fails. */
  checkHealth(): Promise<void>
  /** Resolves with the exit code, 137 when the grace period of compose was not enough. */
  stop(): Promise<number>
  logs(): Promise<string>
  remove(): Promise<void>
}

const isFine = (program: string, args: readonly string[]) => spawnSync(program, args).status === 0

/** Docker where it answers, else Podman, which is installed as root on Debian. @throws where there is neither. */
export function findEngine(): Engine {
  const docker = findOnPath(process.env, ['docker'])
  if (docker !== undefined && isFine(docker, ['info'])) return { program: docker, build: [], run: [] }
  // Before Podman, which would bring crun: that one refuses a machine with both versions of cgroups.
  const runtime = findOrInstall({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, ['runc'])
  const podman = findOrInstall(process.env, ['podman'])
  if (podman === undefined || runtime === undefined)
    throw new Error(
      'This test needs Docker, or Podman and runc, and there is neither. Install them (Debian: apt-get install podman runc).',
    )
  return {
    program: podman,
    build: ['--isolation=chroot', '--format=docker', '--layers', '--network=host'],
    // Its own limits of files and processes may lie above those of this machine.
    run: [
      `--runtime=${runtime}`,
      '--ulimit=nofile=16384:16384',
      '--ulimit=nproc=4096:4096',
      '--read-only-tmpfs=false',
    ],
  }
}

/** Builds both images and resolves with their names. */
export async function buildImages(engine: Engine): Promise<Readonly<Record<Target, string>>> {
  // Not in TMPDIR, which may be in memory: the base has devices.
  const folder = await mkdtemp('/var/tmp/amtiati-image-')
  try {
    const dockerfile = join(folder, 'Dockerfile')
    const text = await readFile(`${repoRoot}Dockerfile`, 'utf8')
    const isDocker = engine.build.length === 0
    // Podman's builder knows no interval for the start.
    await writeFile(dockerfile, isDocker ? text : text.replaceAll(' --start-interval=1s', ''))
    const base = await findBase(engine, /^FROM (\S+)/m.exec(text)?.[1] ?? '', folder)
    const build = async (target: Target) => {
      const image = `${prefix}-${target}`
      const args = [
        ...engine.build,
        ...base,
        '--target',
        target,
        '--tag',
        image,
        '--file',
        dockerfile,
        repoRoot,
      ]
      await run(engine.program, ['build', ...args])
      return image
    }
    return { gateway: await build('gateway'), 'mock-partner': await build('mock-partner') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** How a build finds its base: the image that the Dockerfile names, or one made here where no registry has it. */
async function findBase({ program }: Engine, name: string, folder: string): Promise<readonly string[]> {
  if (isFine(program, ['image', 'inspect', name]) || isFine(program, ['pull', '--quiet', name])) return []
  const base = `localhost/${prefix}-base:${process.versions.node}`
  if (!isFine(program, ['image', 'inspect', base])) await makeBase(program, base, join(folder, 'root'))
  // How this machine reaches npm's registry; no image keeps it.
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry'])
  const npmrc = join(folder, 'npmrc')
  await writeFile(npmrc, `registry=${registry}cafile=${certificates}\n`)
  const mounts = [`${certificates}:${certificates}:ro`, `${npmrc}:/usr/local/etc/npmrc:ro`]
  return ['--from', base, '--pull=never', ...mounts.flatMap((mount) => ['--volume', mount])]
}

/** In place of `node:…-slim`: a small Debian with the Node of the repository and the npm of this machine. */
async function makeBase(program: string, name: string, root: string): Promise<void> {
  const debootstrap = findOrInstall({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, [
    'debootstrap',
  ])
  if (debootstrap === undefined)
    throw new Error(
      'The base image cannot be pulled, and debootstrap is missing (Debian: apt-get install debootstrap).',
    )
  const packages = '--include=ca-certificates,libatomic1,libstdc++6'
  await run(debootstrap, ['--variant=minbase', packages, 'bookworm', root])
  const local = join(root, 'usr/local')
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(await realpath(process.execPath), join(local, 'bin/node'))
  const npm = dirname(dirname(await realpath(findOnPath(process.env, ['npm']) ?? '')))
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await run('chroot', [root, 'useradd', '--create-home', '--uid', '1000', 'node'])
  const archive = join(dirname(root), 'root.tar')
  await run('tar', ['--create', '--file', archive, '--directory', root, '.'])
  await run(program, ['import', archive, name])
}

/** Starts a service of compose in a container of its own, with `env` in place of its own values. */
export async function startContainer(
  engine: Engine,
  image: string,
  serviceName: string,
  env: Readonly<Record<string, string>>,
): Promise<Container> {
  const { program } = engine
  const service = readCompose().services[serviceName]
  if (service === undefined) throw new Error(`compose has no service ${serviceName}`)
  const ofCompose = Object.entries(service.environment ?? {}).map(([key, value]) => [
    key,
    interpolate(value, env),
  ])
  const environment = Object.entries({ ...Object.fromEntries(ofCompose), ...env })
  const { stdout } = await run(program, [
    'run',
    ...['--detach', '--network=host', ...engine.run],
    ...(service.read_only ? ['--read-only'] : []),
    ...(service.tmpfs ?? []).flatMap((path) => ['--tmpfs', path]),
    ...(service.cap_drop ?? []).flatMap((name) => ['--cap-drop', name]),
    ...(service.security_opt ?? []).flatMap((option) => ['--security-opt', option]),
    ...(service.volumes ?? []).flatMap((volume) => ['--volume', volume.split(':')[1] ?? '']),
    ...[`--memory=${service.mem_limit}`, `--pids-limit=${service.pids_limit}`],
    ...environment.flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    image,
  ])
  const id = stdout.trim()
  const container: Container = {
    exec: async (...command) => (await run(program, ['exec', id, ...command])).stdout,
    async checkHealth() {
      const { stdout } = await run(program, ['inspect', '--format', '{{json .Config.Healthcheck.Test}}', id])
      const [kind, ...command] = JSON.parse(stdout)
      if (kind !== 'CMD') throw new Error(`the image has another health check: ${stdout}`)
      await container.exec(...command)
    },
    async stop() {
      await run(program, ['stop', '--time', `${Number.parseInt(service.stop_grace_period ?? '10', 10)}`, id])
      return Number((await run(program, ['inspect', '--format', '{{.State.ExitCode}}', id])).stdout)
    },
    logs: async () => Object.values(await run(program, ['logs', id])).join('\n'),
    async remove() {
      await run(program, ['rm', '--force', '--volumes', id])
    },
  }
  return container
}

/** Resolves when the container answers as healthy. @throws with its last lines when it ends before. */
export async function untilHealthy(container: Container): Promise<void> {
  await eventually(
    () =>
      container.checkHealth().then(
        () => true,
        () => undefined,
      ),
    { everyMs: 500 },
  ).catch(async (error) => {
    throw new Error(`${error.message}\n${(await container.logs()).slice(-3_000)}`)
  })
}
