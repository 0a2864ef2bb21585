import { expect, it } from 'vitest'
import { createBareTexts } from '#test/kit/repo/bare-texts.ts'
import { isInRepo, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'
import { parseSource, type SourceTree } from '#test/kit/repo/source-tree.ts'

/** A page stays whole while the browser translates it. `test/kit/repo/bare-texts.ts` gives the reason and the rules. */

const trees = new Map<string, SourceTree>()
function treeOf(path: string): SourceTree {
  const tree = trees.get(path) ?? parseSource(path)
  trees.set(path, tree)
  return tree
}
const bareTextsOf = createBareTexts((path) => (isInRepo(path) ? treeOf(path).file : undefined))

/** Finds the texts as `path:line text why`. */
function textsIn(tree: SourceTree): string[] {
  return bareTextsOf(tree.file).map(
    ({ node, why }) => `${tree.locationOf(node)} ${node.getText().replace(/\s+/g, ' ')} ${why}`,
  )
}

it('a text beside others is nowhere in the app and the desk', () => {
  const components = repoFiles('client', /\.tsx$/, testFile)
  expect(components.length).toBeGreaterThan(200)
  expect(components.flatMap((path) => textsIn(treeOf(path)))).toEqual([])
})
