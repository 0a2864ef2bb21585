import { vi } from 'vitest'
import { patienceMs } from './patience.ts'

/*
 * Set-up file: `vi.waitFor` and Testing Library wait for `patienceMs` instead of one second, unless a test gives a
 * timeout.
 */

const waitFor = vi.waitFor
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patienceMs, ...options })

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: patienceMs })
}
