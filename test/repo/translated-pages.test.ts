import { describe, expect, it } from 'vitest'
import { createBareTexts } from '#test/kit/bare-texts.ts'
import { isInRepo, repoFiles, testFile } from '#test/kit/repo-files.ts'
import { parseSource, type SourceTree } from '#test/kit/source-tree.ts'

/** A page stays whole while the browser translates it. `test/kit/bare-texts.ts` gives the reason and the rules. */

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

const given = `
  interface BoxProps { readonly icon?: string; readonly label: ReactNode; readonly children: ReactNode }
  const Box = ({ icon, label, children }: BoxProps) => <div>{icon ? <i /> : null}<b>{label}</b>{children}</div>
  const Whole = ({ children }: { readonly children: ReactNode }) => <p>{children}</p>
  const Outer = ({ children }: { readonly children: ReactNode }) => <Box label="">{children}</Box>
  const Shy = ({ isShy }: { readonly isShy: boolean }) => (isShy ? null : <i />)
`
const inPage = (body: string) =>
  parseSource('a.tsx', `${given} const Page = ({ a, t, list }: Props) => ${body}`)

describe('a text beside others', () => {
  it.each([
    ['before which something comes', '<p>{a ? <i /> : null}{t("x")}</p>'],
    ['before which something may come', '<p>{a && <i />}words</p>'],
    ['after a list', '<p>{list.map((each) => <i key={each} />)}words</p>'],
    ['after a component that may be nothing', '<p><Shy isShy={a} /> words</p>'],
    ['that comes and goes', '<p>{a ? t("x") : null}<i /></p>'],
    ['that an element replaces', '<p><i />{a ? t("x") : <b />}</p>'],
    ['that changes', '<p><i />{a.name}</p>'],
    ['that changes with a value', '<p><i />{t("x", { a })}</p>'],
    ['by a name', '{ const said = t(a); return <p><i />{said}</p> }'],
    ['in a fragment that comes and goes', '<p>{a ? <>{t("x")} <i /></> : null}</p>'],
    ['at the root of a component', '<>words<i /></>'],
    ['as all that a component is', 't("x")'],
    ['that a component puts there', '<Box label="">{t("x")}</Box>'],
    ['that a component gives to one that puts it there', '<Outer>words</Outer>'],
  ])('%s is found: %s', (_, body) => {
    expect(textsIn(inPage(body))).toHaveLength(1)
  })

  it.each([
    ['of its own element', '<p>{a ? <i /> : null}<span>{t("x")}</span></p>'],
    ['alone, also when it changes', '<p>{a ? t("x") : null}</p>'],
    ['alone, also when an element replaces it', '<p>{a ? t("x") : <b />}</p>'],
    ['that never changes, among elements that stay', '<p><i />words <b>{a.name}</b></p>'],
    ['that an element is beside', '<p>{t("x")} <b>{a.name}</b></p>'],
    ['that is a blank', '<p>{a ? <i /> : null} {" "}<b /></p>'],
    ['of a component that gives it an element', '<Whole>{t("x", { a })}</Whole>'],
    ['as a prop that has an element there', '<Box label={t("x")}><b /></Box>'],
    ['in an attribute', '<p>{a ? <i /> : null}<img alt={t("x")} /></p>'],
  ])('%s is not: %s', (_, body) => {
    expect(textsIn(inPage(body))).toEqual([])
  })

  it('is nowhere in the app and the desk', () => {
    const components = repoFiles('client', /\.tsx$/, testFile)
    expect(components.length).toBeGreaterThan(200)
    expect(components.flatMap((path) => textsIn(treeOf(path)))).toEqual([])
  })
})
