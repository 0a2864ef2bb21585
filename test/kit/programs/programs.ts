import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of the names that is on the PATH. */
export function findOnPath(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  return (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable)
}

/** The path of a program, which is installed from the package of its name when missing, as root on Debian. */
export function findOrInstall(env: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  const found = findOnPath(env, names)
  const [debianPackage] = names
  if (found !== undefined || debianPackage === undefined) return found
  install(debianPackage)
  return findOnPath(env, names)
}

/** As root on Debian; elsewhere without effect. */
export function install(debianPackage: string): void {
  if (!canUseApt()) return
  spawnSync('apt-get', ['update'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', debianPackage], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
