import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder, which goes with the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'amtiati-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
