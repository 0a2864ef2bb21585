import { type InProcessStack, ownStack, sharedStack } from '../gateway/in-process.ts'
import { builtClient } from '../repo/repo-files.ts'
import { startVisits, type Visit, type VisitOptions, type Visits } from './chromium.ts'
import { test } from './journey.ts'

/** A stack and a Chromium for the tests of a file. */
export interface Site {
  /** Only inside hooks and tests. */
  readonly stack: InProcessStack
  /** Opens a visit, which is closed after the test: it then fails with the faults of the pages. */
  open(options: VisitOptions): Promise<Visit>
}

interface SiteOptions {
  /** Environment of a gateway of its own. By default the stack is that of all files. */
  readonly env?: Readonly<Record<string, string>>
  /** Of a gateway of its own, too: see `ownStack`. */
  readonly isOneWorld?: boolean
  /** The program whose pages are visited; the gateway by default. */
  readonly program?: 'gateway' | 'simulator'
  /** The film for a fake camera: see `startVisits`. */
  readonly camera?: string
  /** See `startVisits`. */
  readonly hasWindow?: boolean
  /** See `startVisits`. */
  readonly isFirefox?: boolean
}

/** The Chromium of this worker, which ends with it. */
let shared: ReturnType<typeof startVisits> | undefined

/** Opens a site before the tests of the calling file. What it has of its own, stack or camera, ends after them. */
export function siteForFile({
  env,
  isOneWorld,
  program = 'gateway',
  camera,
  hasWindow,
  isFirefox,
}: SiteOptions = {}): Site {
  const opened = new Set<Visit>()
  const own: { close(): Promise<void> }[] = []
  let stack: InProcessStack | undefined
  let visits: Visits | undefined

  test.beforeAll(async () => {
    builtClient()
    const isOwn = env !== undefined || isOneWorld === true
    stack = isOwn
      ? await ownStack({ ...(env && { env }), ...(isOneWorld && { isOneWorld }) })
      : await sharedStack()
    if (isOwn) own.push(stack)
    if (isFirefox === true) {
      visits = await startVisits({ isFirefox })
      own.push(visits)
    } else if (camera === undefined && hasWindow !== true) {
      shared ??= startVisits()
      visits = await shared
    } else {
      visits = await startVisits({ ...(camera !== undefined && { camera }), hasWindow: true })
      own.push(visits)
    }
  })
  test.afterEach(async () => {
    for (const visit of opened) {
      opened.delete(visit)
      await visit.close()
    }
  })
  test.afterAll(async () => {
    for (const each of own.reverse()) await each.close()
  })

  return {
    get stack() {
      if (!stack) throw new Error('the stack starts before the first test')
      return stack
    },
    async open(options) {
      if (!visits || !stack) throw new Error('Chromium starts before the first test')
      const url = program === 'gateway' ? stack.gatewayUrl : stack.mockUrl
      const visit = await visits.open({ url, ...options })
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
