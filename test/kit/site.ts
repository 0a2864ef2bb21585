import { afterAll, afterEach, beforeAll } from 'vitest'
import { startVisits, type Visit, type Visits } from './chromium.ts'
import { isInRepo } from './repo-files.ts'
import { type Stack, startStack } from './stack.ts'

/** A stack and a Chromium for the tests of a file. */
export interface Site {
  /** Only inside hooks and tests. */
  readonly stack: Stack
  /** Opens a visit, which is closed after the test: it then fails with the faults of the pages. */
  readonly open: Visits['open']
}

interface SiteOptions {
  /** Environment of gateway and simulator. */
  readonly env?: Readonly<Record<string, string>>
  /** The program whose pages are visited; the gateway by default. */
  readonly program?: 'gateway' | 'simulator'
  /** The film for a fake camera: see `startVisits`. */
  readonly camera?: string
}

/** Starts a site before the tests of the calling file, and ends it after them. */
export function siteForFile({ env, program = 'gateway', camera }: SiteOptions = {}): Site {
  const opened = new Set<Visit>()
  let stack: Stack | undefined
  let visits: Visits | undefined

  beforeAll(async () => {
    if (!isInRepo('dist/client/index.html')) throw new Error('the client is not built: npm run build')
    stack = await startStack(env && { env })
    const url = program === 'gateway' ? stack.gatewayUrl : stack.mockUrl
    visits = await startVisits(url, camera === undefined ? {} : { camera })
  })
  afterEach(async () => {
    for (const visit of opened) {
      opened.delete(visit)
      await visit.close()
    }
  })
  afterAll(async () => {
    await visits?.close()
    await stack?.close()
  })

  return {
    get stack() {
      if (!stack) throw new Error('the stack starts before the first test')
      return stack
    },
    async open(options) {
      if (!visits) throw new Error('Chromium starts before the first test')
      const visit = await visits.open(options)
      opened.add(visit)
      return {
        ...visit,
        close() {
          opened.delete(visit)
          return visit.close()
        },
      }
    },
  }
}
