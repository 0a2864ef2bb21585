import { afterEach, beforeEach } from 'vitest'
import { watchComplaints } from './complaints.ts'

/** Set-up file: a test that writes to `console.error` or `console.warn` fails. Unhandled rejections fail the run by themselves. */

let end: () => void

beforeEach(() => {
  end = watchComplaints()
})

afterEach(() => end())
