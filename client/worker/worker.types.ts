import type { PageName } from '#shared/platform/pages.ts'

/** The facts that the build gives to the worker. */
export interface Offline {
  /** The release, as in the document's `<meta name="release">`. */
  readonly release: string
  /** The pages that show data kept on the phone. */
  readonly orderPages: readonly PageName[]
  /** Paths of all files of the app but the rare ones. */
  readonly files: readonly string[]
  /** Large files that few devices need: stored when they were first loaded. */
  readonly rareFiles: readonly string[]
}

/** Messages of a page. `release` is answered through the port that comes with it. `keep-scanner`: an agent has signed in. */
export type ToWorker = 'activate' | 'release' | 'keep-scanner'
