import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readRepoFile, repoFiles, testFile } from '#test/kit/repo-files.ts'
import { parseSource, type SourceTree } from '#test/kit/source-tree.ts'

/**
 * Arabic is written from right to left: what is said of a side is said as start or end, so that one style serves both
 * directions. And every word on the screen comes from a catalogue.
 */

const sides = 'left|right'
const physicalDeclarations = [
  // margin-left, padding-right, border-left-color, scroll-margin-left, inset-… has no such form
  new RegExp(`(?<![\\w-])(?:scroll-)?(?:margin|padding|border)-(?:${sides})(?:-[\\w]+)?\\s*:`, 'i'),
  new RegExp(`(?<![\\w-])border-(?:top|bottom)-(?:${sides})-radius\\s*:`, 'i'),
  new RegExp(`(?<![\\w-])(?:${sides})\\s*:`, 'i'),
  new RegExp(`(?<![\\w-])(?:text-align|float|clear|caption-side)\\s*:\\s*(?:${sides})\\b`, 'i'),
]
const fourSides =
  /(?<![\w-])(?:margin|padding|inset|border-width|border-color|border-style)\s*:\s*([^;{}]+)/gi

function physicalIn(css: string): string[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '')
  const found = physicalDeclarations.flatMap((pattern) =>
    [...plain.matchAll(new RegExp(pattern, 'gi'))].map(([text]) => text),
  )
  for (const [text, value = ''] of plain.matchAll(fourSides)) {
    const [, right, , left] = value
      .replace('!important', '')
      .trim()
      .split(/\s+(?![^(]*\))/)
    if (left !== undefined && left !== right) found.push(text)
  }
  return found
}

const physicalProperty = new RegExp(
  `^((scroll)?(margin|padding|border)(${sides})\\w*|border(top|bottom)(${sides})radius|${sides})$`,
  'i',
)

/** Style objects and antd's placements. */
function physicalInCode(tree: SourceTree): string[] {
  const found: string[] = []
  tree.visit((node) => {
    if (ts.isPropertyAssignment(node) && physicalProperty.test(node.name.getText().replace(/['"]/g, '')))
      found.push(`${tree.placeOf(node)} ${node.name.getText()}`)
    const value = ts.isPropertyAssignment(node) || ts.isJsxAttribute(node) ? node.initializer : undefined
    const isSide =
      value !== undefined &&
      ts.isStringLiteral(value) &&
      /^(left|right|(top|bottom)(Left|Right))$/.test(value.text)
    if (
      isSide &&
      (ts.isPropertyAssignment(node) || ts.isJsxAttribute(node)) &&
      /^(textAlign|placement|align|float|tooltipPlacement|iconPosition)$/.test(node.name.getText())
    )
      found.push(`${tree.placeOf(node)} ${node.getText()}`)
  })
  return found
}

const spokenAttributes = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-placeholder', 'aria-valuetext'],
  ...['alt', 'title', 'placeholder', 'label', 'caption', 'text', 'message', 'description'],
  ...['okText', 'cancelText', 'notFoundContent', 'tip', 'content', 'extra', 'help'],
])
const hasWords = (text: string) => /\p{L}{2,}/u.test(text)

/** Words that stand in JSX: as text, as a child in braces, or in an attribute that is read out. */
function wordsInJsx(tree: SourceTree): string[] {
  const found: string[] = []
  const say = (node: ts.Node, text: string) => {
    if (hasWords(text)) found.push(`${tree.placeOf(node)} ${text.trim()}`)
  }
  const sayLiterals = (node: ts.Expression | undefined): void => {
    if (node === undefined) return
    if (ts.isStringLiteralLike(node)) say(node, node.text)
    else if (ts.isTemplateExpression(node)) {
      say(node, [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' '))
    } else if (ts.isConditionalExpression(node)) {
      sayLiterals(node.whenTrue)
      sayLiterals(node.whenFalse)
    } else if (ts.isBinaryExpression(node)) {
      sayLiterals(node.right)
    } else if (ts.isParenthesizedExpression(node)) sayLiterals(node.expression)
  }
  tree.visit((node) => {
    if (ts.isJsxText(node)) say(node, node.text)
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) sayLiterals(node.expression)
    else if (ts.isJsxAttribute(node) && spokenAttributes.has(node.name.getText())) {
      const { initializer } = node
      if (initializer === undefined) return
      if (ts.isStringLiteral(initializer)) say(node, initializer.text)
      else if (ts.isJsxExpression(initializer)) sayLiterals(initializer.expression)
    }
  })
  return found
}

describe('styles know no left and no right', () => {
  it.each([
    'a { margin-left: 1px }',
    'a { padding-right : 0 }',
    'a{border-left-color:red}',
    'a { left: 0 }',
    'a { inset: 0 auto 0 4px }',
    'a { margin: 0 1px 0 2px }',
    'a { text-align: right }',
    'a { border-top-left-radius: 3px }',
  ])('%s is noticed', (css) => {
    expect(physicalIn(css)).toHaveLength(1)
  })

  it.each([
    'a { margin-inline-start: 1px; inset-inline-end: 0; text-align: start }',
    'a { margin: 0 auto; padding: 1px 2px 3px; inset: 0 }',
    'a { padding: 1px 2px 3px 2px; margin: 0 calc(1px + 2px) 0 calc(1px + 2px) }',
    '/* left: the side a reader starts from is named start */ a { border-start-start-radius: 3px }',
  ])('%s is left in peace', (css) => {
    expect(physicalIn(css)).toEqual([])
  })

  it.each(repoFiles('client', /\.css$/))('%s', (path) => {
    expect(physicalIn(readRepoFile(path))).toEqual([])
  })

  it('is noticed in code', () => {
    const tree = parseSource(
      'a.tsx',
      `const a = <b style={{ marginLeft: 1, left: 0 }} placement="bottomRight" />`,
    )
    expect(physicalInCode(tree)).toHaveLength(3)
  })

  it.each(repoFiles('client', /\.tsx$/, testFile))('%s', (path) => {
    expect(physicalInCode(parseSource(path))).toEqual([])
  })
})

describe('words come from the catalogues', () => {
  it.each([
    '<p>Hello there</p>',
    '<p>مرحبًا</p>',
    `<p>{'Hello'}</p>`,
    `<p>{isOpen ? t('a') : 'Closed'}</p>`,
    '<img alt="A bag" />',
    `<button aria-label={'Close'} />`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code under test
    '<p>{`Order ${id}`}</p>',
  ])('%s is noticed', (code) => {
    expect(wordsInJsx(parseSource('a.tsx', `const a = ${code}`))).toHaveLength(1)
  })

  it.each([
    `<p className="big">{t('hello')}</p>`,
    '<p> · — 1 </p>',
    `<p className={isOpen ? 'open' : 'closed'} id={\`row-\${id}\`}>{order.name}</p>`,
    `<li>{items.map((item) => <b key="name">{item}</b>)}</li>`,
  ])('%s is left in peace', (code) => {
    expect(wordsInJsx(parseSource('a.tsx', `const a = ${code}`))).toEqual([])
  })

  it.each(repoFiles('client', /\.tsx$/, testFile))('%s', (path) => {
    expect(wordsInJsx(parseSource(path))).toEqual([])
  })
})
