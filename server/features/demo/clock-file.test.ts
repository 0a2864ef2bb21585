import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { readAhead } from './clock-file.ts'

it.each(['', '12h', '1.5'])(
  'a damaged clock of a demo is named, and not taken for a time: "%s"',
  async (text) => {
    const dataDir = freshFolder()
    const path = join(dataDir, 'demo', 'ahead-ms')
    await mkdir(join(dataDir, 'demo'))
    await writeFile(path, text)
    await expect(readAhead(dataDir)).rejects.toThrow(`${path} is damaged`)
  },
)
