import type { PageName } from '#shared/platform/pages.ts'

/** What the build tells the worker. */
export interface Offline {
  /** The release, as in the document's `<meta name="release">`. */
  readonly release: string
  /** The pages that show what is kept on the phone. */
  readonly orderPages: readonly PageName[]
  /** Paths of the files that the pages for use without a network consist of. */
  readonly files: readonly string[]
  /** The same for agents: stored once an agent has signed in, so that pilgrims do not load them. */
  readonly agentFiles: readonly string[]
  /** The reader of barcodes, for devices that lack one: stored when the scanner has first loaded it. */
  readonly readerFiles: readonly string[]
}

/** Messages of a page. `release` is answered through the port that comes with it. `keep-scanner`: an agent has signed in. */
export type ToWorker = 'activate' | 'release' | 'keep-scanner'
